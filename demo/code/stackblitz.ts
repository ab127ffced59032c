import { models } from 'virtual:scene-code'
import { devDependencies, name, version } from '../../package.json'
import type { Card } from '../cards.js'
import { makeProject } from './project.js'
import { sources } from './sources.js'

/** Opens a scene as a project of its own at StackBlitz, in the window of the given name. */
export async function openProject(card: Card, target: string): Promise<void> {
  const project = makeProject(card, { sources, models, versions: { ...devDependencies, [name]: version } })
  const contents = await Promise.all(project.models.map(async (model) => [model, await read(model)] as const))
  const files = { ...project.files, 'src/models.json': JSON.stringify(Object.fromEntries(contents), null, 1) }
  const form = document.createElement('form')
  form.method = 'post'
  form.action = `https://stackblitz.com/run?file=${encodeURIComponent(`src/${card.code}`)}`
  form.target = target
  form.hidden = true
  const put = (field: string, value: string): void => {
    const input = document.createElement('textarea')
    input.name = field
    input.value = value
    form.append(input)
  }
  put('project[title]', `${card.title}: ${name}`)
  put('project[description]', card.summary)
  put('project[template]', 'node')
  for (const [path, text] of Object.entries(files)) put(`project[files][${path}]`, text)
  document.body.append(form)
  form.submit()
  form.remove()
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
