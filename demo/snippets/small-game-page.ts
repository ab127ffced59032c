import * as THREE from 'three'
import { cannonPhysics } from './small-game-cannon.js'
import { SmallGame } from './small-game.js'

const renderer = new THREE.WebGLRenderer({ antialias: true })
renderer.domElement.style.cssText = 'position: fixed; inset: 0'
renderer.setSize(innerWidth, innerHeight)
const readout = document.createElement('pre')
readout.style.cssText = 'position: fixed; left: 1em; color: white'
document.body.append(renderer.domElement, readout)
const camera = new THREE.PerspectiveCamera(60, innerWidth / innerHeight, 0.1, 1000)
camera.position.set(0, 10, -80)
const scene = new THREE.Scene()
scene.background = new THREE.Color('#123')
const sun = new THREE.DirectionalLight('#fff', 2)
sun.position.set(3, 4, -2)
scene.add(sun, new THREE.HemisphereLight('#fff', '#446', 1.5))

// three rocks; those of a file are objects, too
const rocks = new THREE.Group()
for (let i = 0; i < 3; i++) {
  const rock = new THREE.Mesh(new THREE.IcosahedronGeometry(8), new THREE.MeshLambertMaterial())
  rock.position.set(30 * (i - 1), 5 * i, 10)
  rocks.add(rock)
}
const game = new SmallGame(cannonPhysics, scene, camera, rocks)

addEventListener('keydown', ({ code, repeat }) => {
  game.held.add(code)
  if (!repeat) game.press(code)
  if (code === 'KeyK') localStorage.setItem('game', game.save())
  const saved = code === 'KeyL' ? localStorage.getItem('game') : null
  if (saved !== null) game.load(saved)
})
addEventListener('keyup', ({ code }) => game.held.delete(code))

let last: number | undefined
renderer.setAnimationLoop((time) => {
  game.frame((time - (last ?? time)) / 1000)
  last = time
  const where = game.isDocked ? 'docked' : ''
  readout.textContent = `hits ${game.score}   shield ${game.shield}   ${where}`
  renderer.render(scene, camera)
})
