/** A card that shows source code. */
export class CodeCard {
  readonly #card = document.createElement('aside')
  readonly #heading = document.createElement('h2')
  readonly #block = document.createElement('pre')

  /** `look` is a class of the style sheet. */
  constructor(title: string, code: string, parent: Element, look = '') {
    this.#card.className = `code ${look}`
    this.#card.append(this.#heading, this.#block)
    this.write(title, code)
    parent.append(this.#card)
  }

  /** Replaces title and code. */
  write(title: string, code: string): void {
    this.#heading.textContent = title
    this.#block.replaceChildren(...code.split(WORDS).map((part) => colored(part)))
  }

  /** Bounding rectangle of the card in the window (px). */
  get box(): DOMRect {
    return this.#card.getBoundingClientRect()
  }

  set shown(on: boolean) {
    this.#card.hidden = !on
  }

  remove(): void {
    this.#card.remove()
  }
}

/** Separates the highlighted words of source code from the text between them. */
const WORDS =
  /(\/\/[^\n]*|'[^'\n]*'|\b(?:const|new|return|import|from|true|false|null)\b|\b[A-Z]\w*\b|\b\d[\d.]*\b)/

function colored(part: string): Node {
  const kind = kindOf(part)
  if (!kind) return document.createTextNode(part)
  const span = document.createElement('span')
  span.className = kind
  span.textContent = part
  return span
}

function kindOf(part: string): string {
  if (part.startsWith('//')) return 'remark'
  if (part.startsWith("'")) return 'text'
  if (/^\d/.test(part)) return 'number'
  if (/^[A-Z]\w*$/.test(part)) return 'type'
  if (/^(const|new|return|import|from|true|false|null)$/.test(part)) return 'keyword'
  return ''
}

/** The lines between the first `{` at the end of a line and the last `}`, without common indentation. */
export function bodyOf(source: string): string {
  const start = source.indexOf('{\n', source.indexOf('export function')) + 2
  const lines = source.slice(start, source.lastIndexOf('\n}')).split('\n')
  const indent = Math.min(...lines.filter((line) => line.trim()).map((line) => line.search(/\S/)))
  return lines.map((line) => line.slice(indent)).join('\n')
}
