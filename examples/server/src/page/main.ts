import { Color, Vector3 } from 'three'
import { kindOf } from '../world/craft.js'
import { DT } from '../world/plan.js'
import { Pilot } from '../net/pilot.js'
import type { ShipMessage } from '../net/protocol.js'
import { Controls } from './controls.js'
import { Space } from './space.js'

const element = (id: string): HTMLElement => document.getElementById(id)!

const LIVERY = ['#ff8a3d', '#3dc8ff', '#ffd23d', '#ff5a6e', '#6dea9a', '#b58cff', '#f2f4f8'].map(
  (color) => new Color(color),
)
const liveryOf = (key: number): Color => LIVERY[key % LIVERY.length]!

/** Kept for the tab: a page that is loaded again goes on with its ship. */
const kept = {
  get ship(): ShipMessage | null {
    return JSON.parse(sessionStorage.getItem('ship') ?? 'null') as ShipMessage | null
  },
  set ship(ship: ShipMessage | null) {
    sessionStorage.setItem('ship', JSON.stringify(ship))
  },
}

/** Asks for a name, unless the address or this tab has one. */
async function askName(): Promise<string> {
  const given = new URLSearchParams(location.search).get('name') ?? sessionStorage.getItem('name')
  if (given) return given
  const form = element('ask')
  const input = element('name') as HTMLInputElement
  form.hidden = false
  input.focus()
  await new Promise<void>((resolve) => {
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      resolve()
    })
  })
  form.hidden = true
  sessionStorage.setItem('name', input.value)
  return input.value
}

class Page {
  private readonly pilot: Pilot
  private readonly space: Space
  private readonly controls = new Controls()
  private readonly labels = new Map<number, HTMLElement>()
  private last = performance.now() / 1000
  private lastFigures = performance.now() / 1000
  private lastReceived = 0
  private names = new Map<number, string>()
  /** Its own, also while the room that has its ship is away. */
  private name = ''

  constructor(pilot: Pilot, space: Space) {
    this.pilot = pilot
    this.space = space
    // for whoever tests the page
    Object.assign(window, { pilot })
    const isTouch = matchMedia('(pointer: coarse)').matches
    for (const id of ['move', 'turn']) element(id).hidden = !isTouch
    this.controls.pad(element('move'), 'right', 'ahead')
    this.controls.pad(element('turn'), 'yaw', 'pitch')
    // sticks leave in time also where pictures take long
    setInterval(this.fly, 1000 * DT)
    addEventListener('keydown', ({ code }) => {
      if (code === 'KeyH') element('keys').hidden = !element('keys').hidden
    })
  }

  private readonly fly = (): void => this.pilot.update(performance.now() / 1000, this.controls.read())

  readonly frame = (): void => {
    const now = performance.now() / 1000
    const seconds = Math.min(0.1, now - this.last)
    this.last = now
    const { pilot, space } = this
    this.fly()
    space.showCells(pilot.world.plan, pilot.division.trees[0]!)
    space.begin()
    const own = pilot.ship && pilot.buffer.get(pilot.ship.key)
    for (const agent of pilot.buffer.agents) {
      const { key } = agent
      const kind = kindOf(key)
      const { position, quaternion } = (agent === own && pilot.own) || agent
      if (kind) space.add(kind, position, quaternion, kind === 'player' ? liveryOf(key) : undefined)
    }
    const seat = pilot.own ?? own
    if (own && seat) space.follow(seat.position, seat.quaternion, seconds)
    space.render()
    this.showNames()
    if (now > this.lastFigures + 0.5) this.showFigures(now)
    requestAnimationFrame(this.frame)
  }

  /** A name above each ship of another player that the camera sees. */
  private showNames(): void {
    const { camera } = this.space
    const { buffer, ship } = this.pilot
    for (const [key, label] of this.labels)
      if (!buffer.get(key) || !this.names.has(key)) {
        label.remove()
        this.labels.delete(key)
      }
    for (const [key, name] of this.names) {
      const agent = key === ship?.key ? null : buffer.get(key)
      if (!agent) continue
      let label = this.labels.get(key)
      if (!label) {
        label = document.createElement('span')
        label.style.borderLeft = `3px solid #${liveryOf(key).getHexString()}`
        element('names').append(label)
        this.labels.set(key, label)
      }
      label.textContent = name
      at.copy(agent.position)
      const isAhead = seen.copy(at).applyMatrix4(camera.matrixWorldInverse).z < 0
      at.project(camera)
      label.hidden = !isAhead || Math.abs(at.x) > 1.1 || Math.abs(at.y) > 1.1
      const x = ((at.x + 1) / 2) * innerWidth
      const y = ((1 - at.y) / 2) * innerHeight
      label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -190%)`
    }
  }

  private showFigures(now: number): void {
    const { pilot } = this
    const rate = (pilot.received - this.lastReceived) / 1024 / (now - this.lastFigures)
    this.lastReceived = pilot.received
    this.lastFigures = now
    this.names = pilot.names
    const own = pilot.ship && pilot.buffer.get(pilot.ship.key)
    const others = [...this.names]
      .filter(([key]) => key !== pilot.ship?.key)
      .map(([key, name]) => {
        const agent = pilot.buffer.get(key)
        const isSeen = own && agent
        const distance = isSeen ? at.copy(agent.position).distanceTo(own.position) : Infinity
        return { key, name, distance }
      })
      .sort((a, b) => a.distance - b.distance)
    const rows = others.slice(0, 8).map(({ key, name, distance }) => {
      const row = document.createElement('tr')
      const [left, right] = [document.createElement('td'), document.createElement('td')]
      const dot = document.createElement('i')
      dot.style.background = `#${liveryOf(key).getHexString()}`
      left.append(dot, name)
      right.textContent = distance < Infinity ? `${distance.toFixed(0)} m` : ''
      row.append(left, right)
      return row
    })
    element('pilots').replaceChildren(...rows)
    const crafts = [...pilot.buffer.agents].length
    const { x: u, y: v, z: w } = pilot.own?.velocity ?? own?.velocity ?? { x: 0, y: 0, z: 0 }
    const speed = Math.hypot(u, v, w)
    const { cells } = this.pilot
    element('figures').textContent =
      `${others.length === 0 ? 'no other pilot here' : `${others.length + 1} pilots`}, ${crafts} crafts in sight\n` +
      `${speed.toFixed(1)} m/s · ${rate.toFixed(0)} KiB/s`
    const rooms = `${cells.length === 1 ? 'room' : 'rooms'} ${cells.map((cell) => cell + 1).join(', ')}`
    this.name = (pilot.ship && this.names.get(pilot.ship.key)) ?? this.name
    const where = pilot.world.cells.length > 1 ? [rooms] : []
    element('status').textContent =
      cells.length === 0 ? 'connecting …' : own ? [this.name, ...where].join(' · ') : 'waiting …'
  }
}

const at = new Vector3()
const seen = new Vector3()

async function start(): Promise<void> {
  const name = await askName()
  element('status').textContent = 'connecting …'
  const query = new URLSearchParams(location.search)
  const asked = query.get('cell')
  const pilot = await Pilot.connect({
    origin: location.origin,
    name,
    ship: kept.ship,
    onShip: (ship) => (kept.ship = ship),
    ...(asked !== null && { cell: Number(asked) }),
  })
  const page = new Page(pilot, await Space.open(element('stage'), pilot.world.plan, query.has('plain')))
  page.frame()
}

start().catch((error: unknown) => {
  element('status').textContent = `This world cannot be reached: ${String(error)}`
})
