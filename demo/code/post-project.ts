/** Opens a project at StackBlitz in the window `target`: its files as text, by path. `file` is shown. */
export function postProject(
  title: string,
  description: string,
  files: Readonly<Record<string, string>>,
  file: string,
  target: string,
): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = `https://stackblitz.com/run?file=${encodeURIComponent(file)}`
  form.target = target
  form.hidden = true
  const put = (field: string, value: string): void => {
    const input = document.createElement('textarea')
    input.name = field
    input.value = value
    form.append(input)
  }
  put('project[title]', title)
  put('project[description]', description)
  put('project[template]', 'node')
  for (const [path, text] of Object.entries(files)) put(`project[files][${path}]`, text)
  document.body.append(form)
  form.submit()
  form.remove()
}
