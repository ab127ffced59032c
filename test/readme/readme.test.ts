import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Quaternion, Vector3 } from 'three'
import { SteeringController, SteeringWorld } from 'three-steering'
import { frame as avoidFrame, pilot } from '../../demo/snippets/avoid.js'
import { Climb } from '../../demo/snippets/behavior.js'
import { calm, drone, frame as combineFrame, load, save, why } from '../../demo/snippets/combine.js'
import { bus, frame as crowdFrame } from '../../demo/snippets/crowd.js'
import * as horde from '../../demo/snippets/horde.js'
import { frame as wayFrame } from '../../demo/snippets/find-way.js'
import { fan, frame as formationFrame, ships, wing } from '../../demo/snippets/formation.js'
import { afterLoad, frame as dockingFrame, leave } from '../../demo/snippets/docking.js'
import * as far from '../../demo/snippets/floating-origin.js'
import { frame as flockFrame } from '../../demo/snippets/flock.js'
import { frame as obstaclesFrame } from '../../demo/snippets/obstacles.js'
import { KeepApart } from '../../demo/snippets/neighbors.js'
import { frame as streetFrame, street, taxi } from '../../demo/snippets/stay-on-path.js'
import { frame as playerFrame, onKey, onPointer, player } from '../../demo/snippets/player.js'
import { bay, car, frame as carFrame } from '../../demo/snippets/car.js'
import { frame as groundFrame, walker } from '../../demo/snippets/ground.js'
import { frame as statesFrame, states, zombie } from '../../demo/snippets/states.js'
import { frame as mindFrame, guard } from '../../demo/snippets/state-machine.js'
// the tests of its own door to cannon-es
import '../../demo/snippets/door-tests.js'
import { body as hovering, frame as gravityFrame } from '../../demo/snippets/gravity.js'
import { frame as portedFrame, pilot as ported } from '../../demo/snippets/from-yuka.js'
import {
  carrier,
  drone as carried,
  frame as parentsFrame,
  pilot as inGroup,
} from '../../demo/snippets/parents.js'
import * as shards from '../../demo/snippets/shards.js'
import { buffer, onMessage, packet, scene, tick as flyOn, frame as drawNet } from '../../demo/snippets/net.js'
import { driver as cannonDriver, frame as cannonCarFrame } from '../../demo/snippets/raycast-vehicle.js'
import { driver as rapierDriver, step as rapierCarStep } from '../../demo/snippets/rapier-vehicle.js'
import { frame as rapierFrame, ship } from '../../demo/snippets/rapier.js'
import { frame as personFrame, person } from '../../demo/snippets/rapier-character.js'
import { correct, drone as rolledBack, tick } from '../../demo/snippets/rollback.js'
import { tick as serve } from '../../demo/snippets/server.js'
import { frame as yukaFrame, vehicle } from '../../demo/snippets/yuka.js'
import { frame as startFrame } from '../../demo/snippets/start.js'
import { ship as tenShip, steering as tenSteering } from '../../demo/snippets/ten-lines.js'

// The code of the README and of the guides is that of demo/snippets, which is type-checked and run here.

const root = new URL('../../', import.meta.url)
const docs = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
  .map((file) => `docs/${file.split('\\').join('/')}`)
  // the reference is generated, and the first page of the site has addresses of the site
  .filter((file) => file.endsWith('.md') && !file.startsWith('docs/reference/') && file !== 'docs/index.md')
const pages = ['README.md', 'CONTRIBUTING.md', ...docs]
const text = pages.map((page) => readFileSync(new URL(page, root), 'utf8')).join('\n')
const blocks = [...text.matchAll(/```tsx?(?: \S+)?\n([^]*?)```/g)].map((match) => match[1]!)
const snippets = [
  'start',
  'first-page',
  'flock',
  'avoid',
  'obstacles',
  'find-way',
  'stay-on-path',
  'crowd',
  'horde',
  'docking',
  'formation',
  'combine',
  'behavior',
  'rapier',
  'rapier-character',
  'door',
  'door-under-test',
  'door-tests',
  'neighbors',
  'player',
  'ground',
  'states',
  'car',
  'raycast-vehicle',
  'rapier-vehicle',
  'parents',
  'gravity',
  'server',
  'birds-worker',
  'birds-page',
  'rollback',
  'floating-origin',
  'yuka',
  'from-yuka',
  'shards',
  'small-game',
  'small-game-cannon',
  'small-game-rapier',
  'small-game-page',
  'net',
  'follow-camera',
  'pause',
  'save-and-load',
  'gltf-rocks',
  'birds-over-terrain',
  'shot-bird',
  'victim',
  'react.tsx',
  'react-rapier.tsx',
].map((name) => {
  const file = name.includes('.') ? name : `${name}.ts`
  return readFileSync(new URL(`../../demo/snippets/${file}`, import.meta.url), 'utf8')
})

describe('the README', () => {
  it('shows what is run here, and nothing else', () => {
    for (const block of blocks) expect(snippets).toContain(block)
    for (const snippet of snippets) expect(blocks).toContain(snippet)
  })

  it('links to files and headings that are there', () => {
    const missing = pages.flatMap((page) => {
      const links = readFileSync(new URL(page, root), 'utf8').matchAll(/\]\((?!https?:)([^)#]*)(#[^)]*)?\)/g)
      return [...links].flatMap(([link, path, heading]) => {
        const file = new URL(path!, new URL(page, root))
        if (!existsSync(file)) return [`${page}: ${link}`]
        if (heading === undefined) return []
        const headings = readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)
        const names = [...headings].map(([, title]) => `#${title!.toLowerCase().replaceAll(' ', '-')}`)
        return names.includes(heading) ? [] : [`${page}: ${link}`]
      })
    })
    expect(missing).toEqual([])
  })

  it('the first page of the site shows ten lines that fly a ship', () => {
    const lines = readFileSync(new URL('demo/snippets/ten-lines.ts', root), 'utf8')
    expect(readFileSync(new URL('docs/index.md', root), 'utf8')).toContain(`\`\`\`ts\n${lines}\`\`\`\n`)
    expect(lines.trim().split('\n')).toHaveLength(10)
    for (let i = 0; i < 60 * 12; i++) tenSteering.advance(1 / 60)
    expect(tenShip.position.distanceTo(new Vector3(5, 12, 30))).toBeLessThan(0.1)
  })

  it('its start flies the ship to the station', () => {
    const printed: unknown[] = []
    const { info } = console
    console.info = (...words: unknown[]) => printed.push(words)
    for (let i = 0; i < 60 * 12; i++) startFrame(1 / 60)
    console.info = info
    expect(printed).toEqual([['docked']])
  })

  it('its drone in a turned group flies to a place in the world, nose first', () => {
    for (let i = 0; i < 60 * 2; i++) parentsFrame(1 / 60)
    // half-way: the nose of the model, −Z, points along +X of the world
    const nose = new Vector3(0, 0, -1).applyQuaternion(carried.getWorldQuaternion(new Quaternion()))
    expect(nose.x).toBeGreaterThan(0.99)
    for (let i = 0; i < 60 * 7; i++) parentsFrame(1 / 60)
    expect(inGroup.position.x).toBeCloseTo(30, 1)
    const world = carried.getWorldPosition(new Vector3())
    expect(world.distanceTo(new Vector3(30, 5, 0))).toBeLessThan(0.1)
    expect(carried.position.distanceTo(carrier.worldToLocal(world))).toBeLessThan(1e-3)
  })

  it('its ship flies to a station far away, and the origin with it', () => {
    const printed: unknown[] = []
    const { info } = console
    console.info = (...words: unknown[]) => printed.push(...words)
    let before = far.player.velocity.z
    for (let i = 0; i < 60 * 80 && printed.length === 0; i++) {
      far.frame(1 / 60)
      expect(Math.hypot(far.player.position.x, far.player.position.y, far.player.position.z)).toBeLessThan(
        1002,
      )
      // no more than its engines can do
      expect(Math.abs(far.player.velocity.z - before)).toBeLessThan(41 / 60)
      before = far.player.velocity.z
    }
    console.info = info
    expect(printed).toEqual(['at the station'])
    expect(far.origin.z + far.player.position.z).toBeCloseTo(5000, 0)
  })

  it('its drone takes off under gravity and hovers', () => {
    const printed: unknown[] = []
    const { info } = console
    console.info = (...words: unknown[]) => printed.push(...words)
    for (let i = 0; i < 60 * 8; i++) gravityFrame(1 / 60)
    console.info = info
    expect(printed).toEqual(['it hovers'])
    expect(Math.hypot(hovering.position.x - 10, hovering.position.y - 6, hovering.position.z)).toBeLessThan(
      0.1,
    )
  })

  it('its server sends the positions of birds', () => {
    const first = serve(1 / 60)
    const later = serve(1 / 60)
    expect(later.length).toBe(600)
    expect(later.every(Number.isFinite)).toBe(true)
    expect(later).not.toEqual(first)
  })

  it('its rollback makes the steps that an input in time would have made', () => {
    const place = (): string => Object.values({ ...rolledBack.position }).join()
    const target = { x: 0, y: 20, z: 5 }
    for (let i = 0; i < 30; i++) tick()
    const other = place()
    correct(10, target)
    const corrected = place()
    expect(corrected).not.toBe(other)
    // the same again, from the same step
    correct(10, target)
    expect(place()).toBe(corrected)
  })

  it('its vehicle of Yuka and its pilot reach the same place', () => {
    for (let i = 0; i < 60 * 20; i++) {
      yukaFrame(1 / 60)
      portedFrame(1 / 60)
    }
    for (const { x, y, z } of [vehicle.position, ported.position])
      expect(Math.hypot(x - 30, y - 4, z)).toBeLessThan(0.2)
  })

  it('its flock flies', () => {
    expect(() => {
      for (let i = 0; i < 10; i++) flockFrame(1 / 60)
    }).not.toThrow()
  })

  it('its pilot flies past a rock that is dead ahead', () => {
    let nearest = Infinity
    for (let i = 0; i < 60 * 20; i++) {
      avoidFrame(1 / 60)
      nearest = Math.min(nearest, Math.hypot(pilot.position.x, pilot.position.y, pilot.position.z))
    }
    expect(nearest).toBeGreaterThan(9 + pilot.radius)
    expect(Math.abs(pilot.position.z - 60)).toBeLessThan(0.1)
  })

  it('its ship flies past a drifting rock and a tower', () => {
    const printed: unknown[] = []
    const { info } = console
    console.info = (...words: unknown[]) => printed.push(words)
    for (let i = 0; i < 60 * 12; i++) obstaclesFrame(1 / 60)
    console.info = info
    expect(printed).toEqual([['not a scratch']])
  })

  it('its couriers and fish fly, and its bus flies straight on', () => {
    for (let i = 0; i < 120; i++) crowdFrame(1 / 60)
    expect(bus.position.x).toBe(0)
    expect(bus.position.y).toBeCloseTo(-30, 1)
  })

  it('its horde comes close enough to bite, and touches neither its prey nor each other', () => {
    const { hunters, player: prey, stick } = horde
    const all = [prey, ...hunters]
    let inReach = 0
    let least = Infinity
    for (let i = 0; i < 60 * 30; i++) {
      const turn = 1.2 * Math.sin(i / 46) + 0.5 * Math.sin(i / 162)
      Object.assign(stick, { ahead: Math.cos(turn), right: Math.sin(turn) })
      horde.frame(1 / 60)
      for (const [k, { position: a }] of all.entries())
        for (const { position: b } of all.slice(0, k))
          least = Math.min(least, Math.hypot(a.x - b.x, a.z - b.z) - 1)
      if (i >= 600) inReach += horde.biters().length / 20 / 1200
    }
    expect(least).toBeGreaterThan(0)
    expect(inReach).toBeGreaterThan(0.25)
  })

  it('its bird goes from the west to the east, and the west still sees it', () => {
    const seen = new Set<string>()
    for (let i = 0; i < 60 * 12; i++) {
      shards.tick()
      seen.add([shards.west.size, shards.east.size, shards.ghost !== null].join())
    }
    expect([...seen]).toEqual(['1,0,false', '1,1,true', '0,1,false'])
    expect(shards.bird.position.x).toBeCloseTo(30, 1)
  })

  it('its client draws the bird', () => {
    for (let i = 0; i < 30; i++) flyOn()
    onMessage(packet())
    drawNet()
    expect(Math.abs(buffer.time - 0.8)).toBeLessThan(0.5)
    buffer.clear()
    expect(scene.children).toEqual([])
  })

  it('its drone wanders past a rock, is explained, and is restored from a snapshot', () => {
    const printed: unknown[][] = []
    const { info } = console
    console.info = (...words: unknown[]) => printed.push(words)
    const fly = (frames: number): string => {
      for (let i = 0; i < frames; i++) combineFrame(1 / 60)
      const { x, y, z } = drone.position
      return [x, y, z].join()
    }
    fly(150)
    const saved = save()
    const first = fly(300)
    calm()
    fly(600)
    load(saved)
    expect(fly(300)).toBe(first)
    calm()
    fly(900)
    console.info = info
    expect(printed.map(([name]) => name)).toContain('AvoidObstacles')
    expect(printed.map(([name]) => name)).toContain('Wander')
    expect(Math.hypot(drone.position.x - 80, drone.position.y, drone.position.z)).toBeLessThan(0.05)
    // its wandering has ended
    expect(why.root!.children.map(({ name, verdict }) => `${name}: ${verdict}`)).toContain('Wander: off')
  })

  it('its guard uses all its modes', () => {
    const stages = new Set<string>()
    guard.addEventListener('stage', ({ stage }) => stages.add(stage))
    for (let i = 0; i < 60 * 40; i++) mindFrame(1 / 60)
    for (const mode of ['chase', 'flee', 'dock']) expect(stages).toContain(mode)
  })

  it('its ship docks and its glider lines up', () => {
    const printed: unknown[] = []
    const { info } = console
    console.info = (...words: unknown[]) => printed.push(...words)
    for (let i = 0; i < 60 * 60; i++) dockingFrame(1 / 60)
    console.info = info
    expect(printed.filter((word) => word !== 'lined up')).toEqual(['approach', 'align', 'final', 'latched'])
    expect(printed).toContain('lined up')
    printed.length = 0
    leave()
    console.info = (...words: unknown[]) => printed.push(...words)
    for (let i = 0; i < 60 * 20; i++) dockingFrame(1 / 60)
    console.info = info
    expect(printed).toEqual(['undock', 'free'])
    afterLoad()
  })

  it('its wing passes the towers in a column, and becomes a ring', () => {
    let columns = 0
    for (let i = 0; i < 60 * 30; i++) {
      formationFrame(1 / 60)
      if (wing.isColumn) columns++
      if (wing.isColumn && Math.abs(wing.anchor.position.x) < 6)
        for (const { position } of ships)
          if (Math.abs(position.x) < 6) expect(Math.abs(position.z)).toBeLessThan(2.2)
    }
    expect(columns).toBeGreaterThan(300)
    expect(wing.isColumn).toBe(false)
    fan()
    for (let i = 0; i < 60 * 12; i++) formationFrame(1 / 60)
    expect(wing.slotError).toBeLessThan(0.1)
  })

  it('its recipe finds a path through the windows', () => {
    const printed: unknown[] = []
    const { info } = console
    console.info = (...words: unknown[]) => printed.push(words)
    for (let i = 0; i < 60 * 12; i++) wayFrame(1 / 60)
    console.info = info
    expect(printed).toEqual([['found the way']])
  })

  it('its taxi wanders all over the street and never leaves it', () => {
    const stations: number[] = []
    for (let i = 0; i < 60 * 60; i++) {
      streetFrame(1 / 60)
      const s = street.nearest(taxi.position)
      const { x, y, z } = street.pointAt(new Vector3(), s)
      expect(new Vector3(x, y, z).distanceTo(taxi.position)).toBeLessThan(3.5)
      stations.push(Math.floor((8 * s) / street.length))
    }
    expect(new Set(stations).size).toBe(8)
  })

  it('its behaviour that looks for neighbours pushes agents apart, and those out of its reach do not move', () => {
    const world = new SteeringWorld()
    const behavior = new KeepApart()
    const [left, right, away] = [0, 2, 50].map((x) => {
      const one = new SteeringController(null, {
        behavior,
        maxSpeed: 5,
        maxForce: 5,
        position: { x, y: 0, z: 0 },
      })
      world.add(one)
      return one
    })
    for (let i = 0; i < 60; i++) world.step(1 / 60)
    expect(left!.position.x).toBeLessThan(-0.5)
    expect(right!.position.x).toBeGreaterThan(2.5)
    expect(away!.position.x).toBe(50)
  })

  it('its walker passes a pillar and arrives on the hills', () => {
    let nearest = Infinity
    for (let i = 0; i < 900; i++) {
      groundFrame(1 / 60)
      nearest = Math.min(nearest, Math.hypot(walker.position.x - 6, walker.position.z - 6))
    }
    const { x, y, z } = walker.position
    expect(nearest).toBeGreaterThan(1 + walker.radius)
    expect(Math.hypot(x - 12, z - 12)).toBeLessThan(0.1)
    expect(y - 0.9 - Math.sin(x / 8) * Math.cos(z / 10)).toBeCloseTo(0, 2)
  })

  it('its zombie stands, chases, strikes and is stunned', () => {
    const speed = (): number => Math.hypot(zombie.velocity.x, zombie.velocity.z)
    const run = (state: typeof states.current, seconds: number): void => {
      states.current = state
      for (let i = 0; i < 60 * seconds; i++) statesFrame(1 / 60)
    }
    run('idle', 1)
    expect(zombie.position.z).toBe(0)
    run('chase', 3)
    expect(speed()).toBeGreaterThan(1.9)
    run('strike', 2)
    expect(speed()).toBeLessThan(1e-3)
    run('chase', 1)
    run('idle', 2)
    expect(speed()).toBeLessThan(1e-9)
    run('chase', 1)
    run('stunned', 2)
    expect(speed()).toBeLessThan(1e-3)
  })

  it('has a car that parks', () => {
    for (let second = 0; second < 20; second++) for (let i = 0; i < 60; i++) carFrame(1 / 60)
    const { x, z } = bay.position
    expect(Math.hypot(car.position.x - x, car.position.z - z)).toBeLessThan(0.3)
  })

  it.each([
    ['RaycastVehicle of cannon-es', cannonDriver, () => cannonCarFrame(1 / 60)],
    ['vehicle controller of Rapier', rapierDriver, rapierCarStep],
  ])(
    'its car on the springs of the %s drives to its target, and stands on its wheels',
    (_name, car, step) => {
      for (let i = 0; i < 60 * 8; i++) {
        step()
        // the springs hold the chassis 0.54 m above the ground, and it stays level
        if (i > 60) expect(Math.abs(car.position.y - 0.94)).toBeLessThan(0.05)
        expect(car.attitude.y.y).toBeGreaterThan(0.99)
      }
      expect(Math.hypot(car.position.x - 20, car.position.z - 30)).toBeLessThan(0.1)
      car.behavior = { steer() {} }
      const { x, z } = car.position
      for (let i = 0; i < 120; i++) step()
      expect(Math.hypot(car.position.x - x, car.position.z - z)).toBeLessThan(0.01)
    },
  )

  it('its player flies by keyboard, gamepad and touch, and stops before a rock', () => {
    const speed = (): number => Math.hypot(player.velocity.x, player.velocity.y, player.velocity.z)
    const button = (value: number): GamepadButton => ({ value, pressed: value > 0, touched: value > 0 })
    let nearest = Infinity
    onKey({ type: 'keydown', code: 'KeyW' })
    for (let i = 0; i < 60 * 6; i++) {
      playerFrame(1 / 60)
      nearest = Math.min(nearest, Math.hypot(player.position.x, player.position.y, player.position.z - 60))
    }
    expect(player.position.z).toBeGreaterThan(50 - player.radius)
    expect(nearest).toBeGreaterThan(9 + player.radius)
    onKey({ type: 'keyup', code: 'KeyW' })
    for (let i = 0; i < 120; i++) playerFrame(1 / 60)
    expect(speed()).toBeLessThan(0.01)
    const buttons = [0, 0, 0, 0, 0, 0, 0, 1].map(button)
    for (let i = 0; i < 120; i++) playerFrame(1 / 60, { axes: [0, 0, 0.5, 0], buttons })
    expect(player.velocity.y).toBeCloseTo(20, 1)
    expect(player.angularVelocity.y).toBeLessThan(-1)
    // without kill drift it flies on
    onKey({ type: 'keydown', code: 'KeyX' })
    onPointer({ type: 'pointerdown', clientX: 300, clientY: 400 })
    onPointer({ type: 'pointermove', clientX: 300, clientY: 320 })
    for (let i = 0; i < 30; i++) playerFrame(1 / 60)
    expect(player.velocity.y).toBeCloseTo(20, 1)
    expect(player.attitude.x.y).toBeGreaterThan(0.3)
    onPointer({ type: 'pointerup', clientX: 300, clientY: 320 })
  })

  it('its ship flies with Rapier past a rock above a terrain', () => {
    const printed: unknown[] = []
    const { info } = console
    console.info = (...words: unknown[]) => printed.push(...words)
    let nearest = Infinity
    for (let i = 0; i < 60 * 15; i++) {
      rapierFrame(1 / 60)
      const { x, y, z } = ship.translation()
      nearest = Math.min(nearest, Math.hypot(x, y, z) - 7)
    }
    console.info = info
    expect(printed).toEqual(['there'])
    expect(nearest).toBeGreaterThan(0)
  })

  it('its character in Rapier walks round the wall and arrives', () => {
    let nearest = Infinity
    for (let i = 0; i < 60 * 20; i++) {
      personFrame(1 / 60)
      const { x, z } = person.translation()
      const aside = Math.max(0, Math.abs(x) - 4)
      nearest = Math.min(nearest, Math.hypot(aside, Math.max(0, Math.abs(z - 8) - 0.5)))
    }
    const { x, y, z } = person.translation()
    expect(Math.hypot(x, z - 16)).toBeLessThan(0.1)
    expect(y).toBeGreaterThan(0.85)
    // its radius
    expect(nearest).toBeGreaterThan(0.3)
  })

  it('its own behaviour climbs', () => {
    const world = new SteeringWorld()
    const pilot = new SteeringController(null, { behavior: new Climb(), maxSpeed: 9, maxForce: 50, mass: 3 })
    world.add(pilot)
    for (let i = 0; i < 120; i++) world.step(1 / 60)
    expect(pilot.velocity.y).toBeCloseTo(2, 6)
  })
})
