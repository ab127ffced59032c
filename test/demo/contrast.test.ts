import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

// Text on the bar and on panels has a contrast of 4.5 or more, whatever sky is behind them (WCAG 1.4.3).
// Their background is translucent, so the worst sky is white for pale text and black for dark text.

type Color = readonly [red: number, green: number, blue: number, alpha: number]

const css = readFileSync(new URL('../../demo/style.css', import.meta.url), 'utf8')
const named = new Map(
  [...css.matchAll(/(--[\w-]+): ([^;!]+?)(?: !important)?;/g)].map(([, name, value]) => [name!, value!]),
)

/** Undefined for what is no colour of its own, such as `inherit`. */
function parse(text: string): Color | undefined {
  const value = text.replace(/var\((--[\w-]+)\)/, (_, name: string) => named.get(name) ?? name)
  const hex = /^#(..)(..)(..)$/.exec(value)
  if (hex) return [...hex.slice(1).map((part) => parseInt(part, 16)), 1] as unknown as Color
  const rgb = /^rgb\((\d+) (\d+) (\d+)(?: \/ (\d+)%)?\)$/.exec(value)
  if (!rgb) return undefined
  const [red, green, blue] = rgb.slice(1, 4).map(Number) as [number, number, number]
  return [red, green, blue, Number(rgb[4] ?? 100) / 100]
}

const over = ([r, g, b, a]: Color, [x, y, z]: Color): Color => [
  a * r + (1 - a) * x,
  a * g + (1 - a) * y,
  a * b + (1 - a) * z,
  1,
]

function luminance(color: Color): number {
  const [r, g, b] = color.slice(0, 3).map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(text: Color, background: Color): number {
  const [light, dark] = [luminance(text), luminance(background)].toSorted((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const SKIES: readonly Color[] = [
  [255, 255, 255, 1],
  [0, 0, 0, 1],
]
const GLASS = parse('var(--glass)')!

/** All rules that set a colour of text, with the background that they set, if any. */
const rules = [...css.matchAll(/([^{}]+)\{([^{}]*)\}/g)].flatMap(([, selector = '', body = '']) => {
  const text = parse(/(?:^|[;\s])color: ([^;]+);/.exec(body)?.[1] ?? '')
  const background = parse(/background(?:-color)?: ([^;]+);/.exec(body)?.[1] ?? '')
  return text === undefined ? [] : [{ selector: selector.trim(), text, background }]
})

describe('text on the bar and on panels', () => {
  it('has no background that lets more of the sky through', () => {
    const shares = [...css.matchAll(/rgb\(13 16 24 \/ (\d+)%\)/g)].map(([, share]) => Number(share))
    expect(Math.min(...shares)).toBe(100 * GLASS[3])
  })

  it('has a contrast of 4.5 or more before every sky', () => {
    expect(rules.length).toBeGreaterThan(30)
    const poor = rules.flatMap(({ selector, text, background = GLASS }) =>
      SKIES.map((sky) => {
        // other translucent backgrounds lie on a panel
        const panel = background.join() === GLASS.join() ? sky : over(GLASS, sky)
        return { selector, ratio: contrast(text, over(background, panel)) }
      }).filter(({ ratio }) => ratio < 4.5),
    )
    expect(poor.map(({ selector, ratio }) => `${selector}: ${ratio.toFixed(2)}`)).toEqual([])
  })
})
