import { expect, test as base } from '@playwright/test'

/** A message of the software renderer about `readPixels`, unrelated to the page. */
const HARMLESS = /GPU stall due to ReadPixels/

/** The browser cancels requests of a page that is left. A missing file has another error. */
const CANCELLED = 'net::ERR_ABORTED'

/** These scenes show on purpose what the package warns about. */
const SHOWN = /scene=(asteroids|black-art)\b/
const WARNING = /three-steering: blend: AvoidObstacles as one part of a sum/

/**
 * Playwright's `test`, which fails on any problem shown in the developer tools: errors and warnings on the
 * console, uncaught errors, failed requests, error status codes. A test that causes one on purpose removes it
 * from `complaints`.
 */
export const test = base.extend<{ complaints: Set<string> }>({
  complaints: [
    async ({ context }, use) => {
      const complaints = new Set<string>() // a set, as a render loop repeats one error thousands of times
      context.on('console', (message) => {
        const bad = ['error', 'warning', 'assert'].includes(message.type())
        if (!bad || HARMLESS.test(message.text())) return
        if (WARNING.test(message.text()) && SHOWN.test(message.page()?.url() ?? '')) return
        complaints.add(`console ${message.type()}: ${message.text()} (${message.location().url})`)
      })
      context.on('weberror', (error) => complaints.add(`uncaught: ${error.error().message}`))
      context.on('requestfailed', (request) => {
        const reason = request.failure()?.errorText ?? ''
        if (reason !== CANCELLED) complaints.add(`failed: ${request.url()} ${reason}`)
      })
      context.on('response', (response) => {
        if (response.status() >= 400) complaints.add(`${response.status()}: ${response.url()}`)
      })
      await use(complaints)
      const seen = [...complaints]
      // a request that a test answers itself may still be under way, and is an error once its page is closed
      await context.unrouteAll({ behavior: 'ignoreErrors' })
      expect(seen).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }
