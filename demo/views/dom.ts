/** Appends a new element to `parent`. */
export function add(tag: string, parent: Element, className = ''): HTMLElement {
  const element = document.createElement(tag)
  if (className) element.className = className
  parent.append(element)
  return element
}

/** Sets the text of an element, if it differs: an unchanged text causes no new layout. */
export function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text
}
