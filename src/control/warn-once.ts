const told = new Set<string>()

/** Writes a warning on the console, the first time that it is given. */
export function warnOnce(words: string): void {
  if (told.has(words)) return
  told.add(words)
  console.warn(`three-steering: ${words}`)
}
