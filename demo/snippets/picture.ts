import { GridHelper, HemisphereLight, PerspectiveCamera, Scene, WebGLRenderer, type Object3D } from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import type { SteeringWorld } from 'three-steering'
import { SteeringHelper } from 'three-steering/debug'

/**
 * Shows objects or, without any, lines of all that happens in a world. Calls `frame` with the seconds since
 * the last picture.
 */
export function show(
  steering: SteeringWorld,
  frame: (seconds: number) => void,
  ...objects: Object3D[]
): void {
  const renderer = new WebGLRenderer({ antialias: true })
  renderer.domElement.style.cssText = 'position: fixed; inset: 0'
  renderer.setSize(innerWidth, innerHeight)
  document.body.append(renderer.domElement)
  const camera = new PerspectiveCamera(50, innerWidth / innerHeight)
  camera.position.set(-40, 30, -40)
  const controls = new OrbitControls(camera, renderer.domElement)
  const scene = new Scene()
  scene.add(new HemisphereLight('white', 'gray', 3), new GridHelper(200, 20, 'gray', 'gray'), ...objects)
  const helper = new SteeringHelper(steering)
  if (objects.length === 0) scene.add(helper)
  let last: number | undefined
  renderer.setAnimationLoop((time) => {
    frame((time - (last ?? time)) / 1000)
    last = time
    if (objects.length === 0) helper.update()
    controls.update()
    renderer.render(scene, camera)
  })
}
