// @ts-check
import * as THREE from 'three'

export * from 'three'

/** The loops that were started, and what was last drawn. */
export const pages = {
  /** @type {((time: number) => void)[]} */
  loops: [],
  /** @type {THREE.Object3D[]} */
  drawn: [],
}

/** In place of the renderer of three.js: draws nothing. */
export class WebGLRenderer {
  domElement = document.createElement('canvas')
  setSize() {}
  setPixelRatio() {}
  dispose() {}
  /** @param {((time: number) => void) | null} loop */
  setAnimationLoop(loop) {
    if (loop) pages.loops.push(loop)
  }
  /** @param {THREE.Object3D} scene @param {THREE.Camera} camera */
  render(scene, camera) {
    scene.updateMatrixWorld()
    camera.updateMatrixWorld()
    if (!pages.drawn.includes(scene)) pages.drawn.push(scene)
  }
}

/** Where everything is that a program shows: meshes, instances, ends of lines. */
export function places() {
  /** @type {number[]} */
  const all = []
  for (const scene of pages.drawn)
    scene.traverseVisible((object) => {
      if (object.type === 'GridHelper') return
      all.push(...object.matrixWorld.elements.slice(12, 15))
      if (object instanceof THREE.InstancedMesh)
        all.push(...object.instanceMatrix.array.slice(0, 16 * object.count))
    })
  return all
}
