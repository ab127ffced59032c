/** Writes every model of the demo: `npm run models`. The output is the same, bit for bit, on every run. */
import { fileURLToPath } from 'node:url'
import { falcon, starling } from './make/birds.mjs'
import { displayJet } from './make/display-jet.mjs'
import { drone } from './make/drone.mjs'
import { fighter } from './make/fighter.mjs'
import { fish } from './make/fish.mjs'
import { freighter } from './make/freighter.mjs'
import { lander } from './make/lander.mjs'
import { rocks } from './make/rocks.mjs'
import { shark } from './make/shark.mjs'
import { ship } from './make/ship.mjs'
import { spaceport } from './make/spaceport.mjs'
import { tug } from './make/tug.mjs'

const models = {
  bird: starling,
  falcon,
  fighter,
  'display-jet': displayJet,
  ship,
  spaceport,
  tug,
  freighter,
  lander,
  rocks,
  drone,
  fish,
  shark,
}

for (const [name, make] of Object.entries(models)) {
  const model = make()
  await model.write(fileURLToPath(new URL(`./${name}.glb`, import.meta.url)))
  const triangles = model.document
    .getRoot()
    .listMeshes()
    .flatMap((mesh) => mesh.listPrimitives())
    .reduce((sum, part) => sum + part.getIndices().getCount() / 3, 0)
  console.log(`${name}.glb: ${triangles} triangles`)
}
