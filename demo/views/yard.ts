import {
  BoxGeometry,
  CanvasTexture,
  CircleGeometry,
  DirectionalLight,
  Group,
  HemisphereLight,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  RepeatWrapping,
  RingGeometry,
  SphereGeometry,
  SRGBColorSpace,
  type Object3D,
  type Vector3,
} from 'three'

/** Objects of an everyday scene, with textures painted on a canvas instead of image files. */

const PAINTS = ['#e9694a', '#f2b544', '#4aa3a2', '#5b7fc7', '#e8e0d0', '#8f6bb3']

function paint(size: number, draw: (pen: CanvasRenderingContext2D, size: number) => void): CanvasTexture {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = size
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('this browser gives no 2D canvas')
  draw(pen, size)
  const texture = new CanvasTexture(canvas)
  texture.colorSpace = SRGBColorSpace
  texture.anisotropy = 8
  return texture
}

/** Large slabs with joints, fading into haze in the distance. */
export function makeGround(): Mesh {
  const map = paint(512, (pen, size) => {
    pen.fillStyle = '#8d857b'
    pen.fillRect(0, 0, size, size)
    for (let k = 0; k < 4; k++) {
      pen.fillStyle = ['#8f877d', '#857d74', '#8a8279', '#958d83'][k]!
      pen.fillRect((k % 2) * 256 + 3, (k >> 1) * 256 + 3, 250, 250)
    }
    pen.fillStyle = 'rgb(58 52 46 / 60%)'
    for (const at of [0, 256]) {
      pen.fillRect(at - 2, 0, 4, size)
      pen.fillRect(0, at - 2, size, 4)
    }
  })
  map.wrapS = map.wrapT = RepeatWrapping
  map.repeat.set(75, 75)
  const ground = new Mesh(new CircleGeometry(150, 64), new MeshStandardMaterial({ map, roughness: 0.95 }))
  ground.rotation.x = -Math.PI / 2
  ground.receiveShadow = true
  ground.name = 'ground'
  return ground
}

export function makeCrates(count: number, half: number): Mesh[] {
  const map = paint(256, (pen, size) => {
    pen.fillStyle = '#ffffff'
    pen.fillRect(0, 0, size, size)
    pen.fillStyle = 'rgb(0 0 0 / 10%)'
    for (let k = 0; k < 5; k++) pen.fillRect(30 + k * 40, 0, 3, size)
    pen.strokeStyle = 'rgb(255 255 255 / 100%)'
    pen.lineWidth = 30
    pen.strokeRect(15, 15, size - 30, size - 30)
    pen.beginPath()
    pen.moveTo(30, 30)
    pen.lineTo(size - 30, size - 30)
    pen.stroke()
    pen.strokeStyle = 'rgb(0 0 0 / 22%)'
    pen.lineWidth = 3
    pen.strokeRect(31, 31, size - 62, size - 62)
    pen.strokeRect(1, 1, size - 2, size - 2)
  })
  const shape = new BoxGeometry(2 * half, 2 * half, 2 * half)
  return Array.from({ length: count }, (_, k) => {
    const color = PAINTS[(k * 5 + (k >> 2)) % PAINTS.length]!
    return shaded(new Mesh(shape, new MeshStandardMaterial({ map, color, roughness: 0.7 })))
  })
}

export function makeBall(radius: number): Mesh {
  const map = paint(512, (pen, size) => {
    for (let k = 0; k < 8; k++) {
      pen.fillStyle = k % 2 ? '#f4efe6' : '#d9402e'
      pen.fillRect((k * size) / 8, 0, size / 8 + 1, size)
    }
    pen.fillStyle = '#f2b544'
    pen.fillRect(0, 0, size, 34)
    pen.fillRect(0, size - 34, size, 34)
  })
  return shaded(
    new Mesh(new SphereGeometry(radius, 40, 28), new MeshStandardMaterial({ map, roughness: 0.35 })),
  )
}

/** A ring on the ground at the drone's target. */
export function makeTarget(): Group {
  const light = new MeshBasicMaterial({
    color: '#ff7a1a',
    transparent: true,
    opacity: 0.9,
    depthWrite: false,
  })
  const faint = new MeshBasicMaterial({
    color: '#ff7a1a',
    transparent: true,
    opacity: 0.22,
    depthWrite: false,
  })
  const target = new Group()
  target.add(new Mesh(new RingGeometry(0.62, 0.72, 48), light), new Mesh(new CircleGeometry(0.62, 48), faint))
  target.add(new Mesh(new CircleGeometry(0.07, 20), light))
  target.rotation.x = -Math.PI / 2
  target.position.y = 0.02
  return target
}

/** Sun with soft shadows on the yard, and light from sky and ground. */
export function makeDaylight(towards: Vector3): Object3D[] {
  const sun = new DirectionalLight('#ffe0b8', 4.2)
  sun.position.copy(towards).multiplyScalar(40)
  sun.castShadow = true
  sun.shadow.mapSize.set(2048, 2048)
  Object.assign(sun.shadow.camera, { left: -17, right: 17, top: 17, bottom: -17, near: 5, far: 90 })
  sun.shadow.normalBias = 0.03
  sun.shadow.radius = 3
  return [sun, new HemisphereLight('#9cc0ea', '#8a6a4a', 0.5)]
}

function shaded(mesh: Mesh): Mesh {
  mesh.castShadow = true
  mesh.receiveShadow = true
  return mesh
}
