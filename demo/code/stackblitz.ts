import { models } from 'virtual:scene-code'
import { devDependencies, name, version } from '../../package.json'
import type { Card } from '../cards.js'
import { postProject } from './post-project.js'
import { makeProject } from './project.js'
import { sources } from './sources.js'

/** Opens a scene as a project of its own at StackBlitz, in the window of the given name. */
export async function openProject(card: Card, target: string): Promise<void> {
  const project = makeProject(card, { sources, models, versions: { ...devDependencies, [name]: version } })
  const contents = await Promise.all(project.models.map(async (model) => [model, await read(model)] as const))
  const files = { ...project.files, 'src/models.json': JSON.stringify(Object.fromEntries(contents), null, 1) }
  postProject(`${card.title}: ${name}`, card.summary, files, `src/${card.code}`, target)
}

/** A model as an address that contains it, since StackBlitz takes only files of text. */
async function read(model: string): Promise<string> {
  const response = await fetch(`./${model}.glb`)
  if (!response.ok) throw new Error(`the model ${model}.glb could not be loaded`)
  const blob = await response.blob()
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error!))
    reader.readAsDataURL(blob)
  })
}
