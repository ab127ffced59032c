import { BoxGeometry, Group, Mesh, MeshStandardMaterial } from 'three'
import { expect, it } from 'vitest'
import { HarborView } from '../../demo/views/harbor-view.js'
import { PORTS } from '../../demo/scenarios/spaceport.js'

/** Red of the signal of a port, a fifth of a second after its ship has docked. */
function redAfter(frameRate: number): number {
  const signals = Array.from({ length: PORTS }, (_, k) => new MeshStandardMaterial({ name: `signal_${k}` }))
  const view = new HarborView(new Group().add(...signals.map((each) => new Mesh(new BoxGeometry(), each))))
  const ports = signals.map((_, k) => ({ holder: k === 0 ? 7 : -1 }))
  const free = ports.map(() => ({ holder: -1 }))
  view.update({ time: 0, ports: free, ships: [] })
  const ships = [{ pilot: { id: 7 }, leg: 'docked' as const }]
  for (let k = 1; k <= frameRate / 5; k++) view.update({ time: k / frameRate, ports, ships })
  return signals[0]!.emissive.r
}

it('the signals of a harbour change at the same rate at 20 and at 120 frames a second', () => {
  expect(redAfter(20)).toBeGreaterThan(0.2)
  expect(redAfter(20)).toBeCloseTo(redAfter(120), 6)
})
