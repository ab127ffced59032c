import { prefersLessMotion } from './preferences.js'
import { add } from './views/dom.js'

/** A screen without a pointer that hovers. */
const isTouched = (): boolean => window.matchMedia('(hover: none)').matches

/**
 * Plays the loop of a scene over its still while a pointer or the focus is on the card, and on touch screens
 * while the card is well in view. `picture` holds the still.
 */
export function playOnCard(card: HTMLElement, picture: HTMLElement, scene: string): void {
  let video: HTMLVideoElement | null = null
  let isBroken = false
  const start = (): void => {
    if (isBroken || prefersLessMotion()) return
    video ??= makeVideo(picture, scene, () => (isBroken = true))
    // refused where a browser saves energy: the still stays
    video.play().catch(() => {})
  }
  const stop = (): void => {
    if (!video) return
    video.pause()
    video.currentTime = 0
    picture.classList.remove('plays')
  }
  for (const event of ['pointerenter', 'focus']) card.addEventListener(event, start)
  for (const event of ['pointerleave', 'blur']) card.addEventListener(event, stop)
  if (!isTouched()) return
  const observer = new IntersectionObserver(
    ([entry]) => (entry!.isIntersecting ? start() : stop()),
    // whole cards that are not at the edge of the window
    { rootMargin: '-12% 0px', threshold: 0.9 },
  )
  observer.observe(picture)
}

function makeVideo(picture: HTMLElement, scene: string, onBroken: () => void): HTMLVideoElement {
  const video = add('video', picture) as HTMLVideoElement
  video.muted = video.loop = video.playsInline = true
  video.ariaHidden = 'true'
  video.src = `./loops/${scene}.webm`
  video.addEventListener('playing', () => picture.classList.add('plays'))
  video.addEventListener('error', () => {
    video.remove()
    onBroken()
  })
  return video
}
