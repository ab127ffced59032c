/** All files of the gallery that a scene may consist of, as text, by their path in `demo/`. */
export const sources: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(
    import.meta.glob<string>(['../**/*.{ts,tsx}', '../style.css', '!../**/*.d.ts', '!../snippets/**'], {
      query: '?raw',
      import: 'default',
      eager: true,
    }),
  ).map(([path, text]) => [path.replace(/^\.\.?\//, (start) => (start === './' ? 'code/' : '')), text]),
)
