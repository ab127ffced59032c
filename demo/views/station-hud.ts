import { Quaternion, Vector3, type Vector3Like } from 'three'
import { intercept, type Moving } from 'three-steering'
import { phone } from '../preferences.js'
import type { FreeArea, Stage } from '../stage.js'
import { bearingOf, type Bearing } from './bearings.js'

/** Signs of the corners of a square. */
const CORNERS = [
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
] as const

/** Something that the pilot should know of. */
export interface Contact {
  readonly kind: 'raider' | 'wing' | 'freighter' | 'station'
  readonly position: Vector3Like
  /** What stands beside its mark. Default: nothing. */
  readonly word?: string
  /** Share of its shields, drawn below the mark of the target. */
  readonly shield?: number
  /** Whether it is pointed out: a target, a freighter under fire, a wing that has just answered. */
  readonly lit?: boolean
}

/** What the pilot sees of the own ship. */
export interface Cockpit {
  readonly self: Moving & { readonly quaternion: Quaternion }
  readonly speed: number
  readonly shield: number
  readonly armed: boolean
  readonly target: Moving | null
  /** Time since the last hit on a raider, and since the last hit taken (s). */
  readonly sinceHit: number
  readonly sinceHurt: number
  /** Deflection of the mouse, or null when it does not steer. */
  readonly mouse: { readonly x: number; readonly y: number } | null
  /** Muzzle speed (m/s), and range of the gun (m). */
  readonly muzzle: number
  readonly range: number
}

const COLORS = { raider: '#ff5a4a', wing: '#3dc8ff', freighter: '#ffd23d', station: '#dfe6f2' } as const
/** Distance at the rim of the radar (m). */
const REACH = 320
/** Margin of the picture in which no mark is drawn (px). */
const MARGIN = 26
/** Size of the words beside marks (px). */
const WORD = 11.5
/** How long a message stays (s). */
const NEWS = 2.2

const NO_CARD = { right: 0, bottom: 0 }

const fontOf = (size: number): string => `${size > 14 ? 620 : 520} ${size}px system-ui, sans-serif`

const at = new Vector3()
const turn = new Quaternion()

/** Marks, radar, speed, score and messages over the picture of a pilot. They are drawn, not laid out. */
export class StationHud {
  readonly #stage: Stage
  readonly #canvas = document.createElement('canvas')
  readonly #pen: CanvasRenderingContext2D
  readonly #news: { readonly text: string; readonly until: number }[] = []
  /** Where words and edge marks stand already (px). */
  readonly #words: { readonly x: number; readonly y: number; readonly half: number }[] = []
  #card = NO_CARD
  readonly #touch = window.matchMedia('(pointer: coarse)')

  constructor(stage: Stage) {
    this.#stage = stage
    this.#canvas.className = 'hud'
    this.#canvas.setAttribute('aria-hidden', 'true')
    this.#pen = this.#canvas.getContext('2d')!
    stage.canvas.parentElement!.append(this.#canvas)
  }

  /** Shows a message for a moment. */
  tell(text: string, time: number): void {
    this.#news.push({ text, until: time + NEWS })
    if (this.#news.length > 3) this.#news.shift()
  }

  /** Draws all. Call for each picture, after it is rendered. A pilot that is null does not look. */
  draw(pilot: Cockpit | null, contacts: readonly Contact[], score: readonly string[], time: number): void {
    const pen = this.#begin()
    while (this.#news[0] && this.#news[0].until <= time) this.#news.shift()
    if (pilot === null) return
    this.#card = this.#stage.cards.firstElementChild?.getBoundingClientRect() ?? NO_CARD
    // the score stands above the marks, and on a phone the announcer, too
    const { bottom, left, right, top } = this.#area()
    const area = { left, right, bottom, top: top + (phone.matches ? 84 : 48) }
    this.#hurt(pilot)
    this.#words.length = 0
    const first = contacts.toSorted((a, b) => Number(b.lit ?? false) - Number(a.lit ?? false))
    for (const contact of first) this.#mark(contact, pilot, area)
    this.#aim(pilot, area)
    this.#radar(pilot, contacts, area)
    const middle = (left + right) / 2
    pen.textAlign = 'center'
    score.forEach((line, k) => this.#write(line, middle, top + 2 + 19 * k, k === 0 ? 19 : 12.5, '#eef0f4'))
    this.#news.forEach(({ text, until }, k) => {
      pen.globalAlpha = Math.max(0, Math.min(1, 2 * (until - time)))
      this.#write(text, middle, area.top + 0.13 * (bottom - area.top) + 22 * k, 17, '#ffd9a8')
    })
    pen.globalAlpha = 1
  }

  remove(): void {
    this.#canvas.remove()
  }

  #begin(): CanvasRenderingContext2D {
    const { clientHeight: height, clientWidth: width } = this.#stage.canvas
    const pixels = Math.min(2, window.devicePixelRatio)
    const canvas = this.#canvas
    if (canvas.width !== Math.round(width * pixels) || canvas.height !== Math.round(height * pixels)) {
      canvas.width = Math.round(width * pixels)
      canvas.height = Math.round(height * pixels)
    }
    const pen = this.#pen
    pen.setTransform(pixels, 0, 0, pixels, 0, 0)
    pen.clearRect(0, 0, width, height)
    pen.lineWidth = 1.6
    pen.lineJoin = 'round'
    return pen
  }

  /** The part of the picture for marks: between the bar, the buttons and the thumbs. */
  #area(): FreeArea {
    const { clientHeight: height, clientWidth: width } = this.#stage.canvas
    const isWide = width > 760
    return {
      left: MARGIN,
      top: isWide ? 78 : Math.max(190, this.#card.bottom + 24),
      right: width - MARGIN,
      bottom: height - (phone.matches ? 168 : 96),
    }
  }

  #write(text: string, x: number, y: number, size: number, color: string): void {
    const pen = this.#pen
    pen.font = fontOf(size)
    pen.strokeStyle = 'rgb(6 8 14 / 75%)'
    pen.lineWidth = 3
    pen.strokeText(text, x, y)
    pen.lineWidth = 1.6
    pen.fillStyle = color
    pen.fillText(text, x, y)
  }

  /** Writes a word beside a mark, where no other one stands. */
  #name(text: string, x: number, y: number, color: string): void {
    const pen = this.#pen
    const { textAlign } = pen
    pen.font = fontOf(WORD)
    const half = pen.measureText(text).width / 2 + 4
    const middle = textAlign === 'right' ? x - half : textAlign === 'left' ? x + half : x
    if (this.#words.some((each) => Math.abs(each.x - middle) < each.half + half && Math.abs(each.y - y) < 14)) return // prettier-ignore
    this.#words.push({ x: middle, y, half })
    this.#write(text, x, y, WORD, color)
  }

  /** A red rim while shots hit the own ship. */
  #hurt({ sinceHurt }: Cockpit): void {
    const strength = 1 - sinceHurt / 0.5
    if (strength <= 0) return
    const { clientHeight: height, clientWidth: width } = this.#stage.canvas
    const pen = this.#pen
    const far = Math.hypot(width, height) / 2
    const rim = pen.createRadialGradient(width / 2, height / 2, 0.55 * far, width / 2, height / 2, far)
    rim.addColorStop(0, 'rgb(255 60 40 / 0%)')
    rim.addColorStop(1, `rgb(255 60 40 / ${Math.round(55 * strength)}%)`)
    pen.fillStyle = rim
    pen.fillRect(0, 0, width, height)
  }

  #mark(
    { kind, lit = false, position, shield = 1, word = '' }: Contact,
    { self }: Cockpit,
    area: FreeArea,
  ): void {
    const bearing = this.#see(position, area)
    const { angle, inside, x } = bearing
    // below the card with the orders, which would hide it
    const y = x < this.#card.right + 8 ? Math.max(bearing.y, this.#card.bottom + 18) : bearing.y
    const far = at.copy(position).distanceTo(self.position)
    const pen = this.#pen
    pen.strokeStyle = pen.fillStyle = COLORS[kind]
    pen.globalAlpha = lit || kind === 'raider' ? 1 : 0.75
    const text = `${word}${word ? ' ' : ''}${far.toFixed(0)} m`
    if (inside) {
      if (kind === 'raider') this.#bracket(x, y, Math.min(40, Math.max(9, 900 / far)), lit)
      else if (kind !== 'station') this.#tick(x, y - Math.min(34, 700 / far) - 5, lit)
      if (kind === 'raider' || lit) {
        pen.textAlign = 'center'
        const below = y + Math.min(40, Math.max(9, 900 / far)) + 14
        this.#name(text, x, below, COLORS[kind])
        if (kind === 'raider' && lit) {
          pen.fillStyle = 'rgb(255 255 255 / 25%)'
          pen.fillRect(x - 20, below + 5, 40, 3)
          pen.fillStyle = COLORS.raider
          pen.fillRect(x - 20, below + 5, 40 * shield, 3)
        }
      }
    } else if (kind !== 'freighter' || lit) {
      const isTarget = kind === 'raider' && lit
      this.#arrow(x, y, angle, isTarget ? 15 : lit ? 11 : kind === 'raider' ? 9 : 6)
      this.#words.push({ x, y: y + 4, half: 12 })
      // the way to turn to the target, where the pilot looks
      if (isTarget) {
        const nose = this.#nose(self, area)
        this.#arrow(nose.x + 46 * Math.cos(angle), nose.y + 46 * Math.sin(angle), angle, 15)
      }
      // beside the arrow, towards the middle
      pen.textAlign = Math.cos(angle) > 0.3 ? 'right' : Math.cos(angle) < -0.3 ? 'left' : 'center'
      const [inX, inY] = [x - 20 * Math.cos(angle), y - 26 * Math.sin(angle) + 4]
      if (kind !== 'wing' || lit) this.#name(text, inX, inY, COLORS[kind])
    }
    pen.globalAlpha = 1
  }

  #arrow(x: number, y: number, angle: number, size: number): void {
    const pen = this.#pen
    pen.save()
    pen.translate(x, y)
    pen.rotate(angle)
    pen.beginPath()
    pen.moveTo(size, 0)
    pen.lineTo(-size, 0.8 * size)
    pen.lineTo(-0.5 * size, 0)
    pen.lineTo(-size, -0.8 * size)
    pen.fill()
    pen.restore()
  }

  /** Where the nose points. */
  #nose({ position, quaternion }: Cockpit['self'], area: FreeArea): Bearing {
    at.set(0, 0, 70).applyQuaternion(quaternion).add(position)
    return this.#see(at, area)
  }

  #see(place: Vector3Like, area: FreeArea): Bearing {
    const { camera, canvas } = this.#stage
    return bearingOf(place, camera, canvas.clientWidth, canvas.clientHeight, area)
  }

  /** The corners of a square. */
  #bracket(x: number, y: number, half: number, bold: boolean): void {
    const pen = this.#pen
    pen.lineWidth = bold ? 2.4 : 1.4
    pen.beginPath()
    for (const [sx, sy] of CORNERS) {
      // prettier-ignore
      pen.moveTo(x + sx * half, y + 0.5 * sy * half)
      pen.lineTo(x + sx * half, y + sy * half)
      pen.lineTo(x + 0.5 * sx * half, y + sy * half)
    }
    pen.stroke()
    pen.lineWidth = 1.6
  }

  #tick(x: number, y: number, bold: boolean): void {
    const pen = this.#pen
    const size = bold ? 8 : 4
    pen.beginPath()
    pen.moveTo(x - size, y - size)
    pen.lineTo(x, y)
    pen.lineTo(x + size, y - size)
    pen.stroke()
  }

  /** Where the nose points, where to aim, a cross where shots hit, and the deflection of the mouse. */
  #aim(pilot: Cockpit, area: FreeArea): void {
    const { armed, mouse, muzzle, range, self, sinceHit, target } = pilot
    const pen = this.#pen
    const circle = (x: number, y: number, radius: number): void => {
      pen.beginPath()
      pen.arc(x, y, radius, 0, 2 * Math.PI)
    }
    const nose = this.#nose(self, area)
    pen.strokeStyle = armed ? 'rgb(255 255 255 / 85%)' : 'rgb(255 90 74 / 85%)'
    circle(nose.x, nose.y, 9)
    pen.stroke()
    if (mouse) {
      pen.beginPath()
      pen.moveTo(nose.x, nose.y)
      pen.lineTo(nose.x + 70 * mouse.x, nose.y + 70 * mouse.y)
      pen.stroke()
      circle(nose.x + 70 * mouse.x, nose.y + 70 * mouse.y, 3)
      pen.fillStyle = '#fff'
      pen.fill()
    }
    if (sinceHit < 0.16) {
      pen.strokeStyle = '#fff'
      pen.lineWidth = 2.4
      pen.beginPath()
      for (const [sx, sy] of CORNERS) {
        // prettier-ignore
        pen.moveTo(nose.x + 6 * sx, nose.y + 6 * sy)
        pen.lineTo(nose.x + 13 * sx, nose.y + 13 * sy)
      }
      pen.stroke()
      pen.lineWidth = 1.6
    }
    if (target === null || at.copy(target.position).distanceTo(self.position) > range) return
    const meeting = intercept(self, target, muzzle)
    if (meeting === null) return
    const lead = this.#see(meeting.aim, area)
    if (!lead.inside) return
    const { x, y } = this.#see(target.position, area)
    pen.strokeStyle = '#ffd23d'
    circle(lead.x, lead.y, 7)
    pen.moveTo(x, y)
    pen.lineTo(lead.x, lead.y)
    pen.stroke()
    pen.textAlign = 'left'
    this.#write('aim', lead.x + 11, lead.y + 4, WORD, '#ffd23d')
  }

  /** Everything around, seen from above the own ship with its nose up. Its rim shows the shields. */
  #radar({ armed, self, shield, speed }: Cockpit, contacts: readonly Contact[], area: FreeArea): void {
    const pen = this.#pen
    const { clientHeight: height, clientWidth: width } = this.#stage.canvas
    const isWide = width > 760
    const radius = isWide ? 58 : 40
    // thumbs are below, so the radar of a phone is above, beside the card with the orders
    const x = width - MARGIN / 2 - radius
    const y = !isWide ? 66 + radius : this.#touch.matches ? area.top + radius - 20 : height - 20 - radius
    pen.beginPath()
    pen.arc(x, y, radius, 0, 2 * Math.PI)
    pen.fillStyle = 'rgb(10 14 22 / 55%)'
    pen.fill()
    pen.strokeStyle = 'rgb(255 255 255 / 16%)'
    pen.stroke()
    pen.beginPath()
    pen.arc(x, y, radius / 2, 0, 2 * Math.PI)
    pen.stroke()
    pen.beginPath()
    pen.arc(x, y, radius + 4, -Math.PI / 2, -Math.PI / 2 + 2 * Math.PI * shield)
    pen.strokeStyle = armed && shield > 0.35 ? '#6cc4ff' : '#ff7a88'
    pen.lineWidth = 3
    pen.stroke()
    pen.lineWidth = 1.6
    turn.copy(self.quaternion).invert()
    for (const { kind, lit = false, position } of contacts) {
      at.copy(position).sub(self.position).applyQuaternion(turn)
      const share = Math.min(1, Math.sqrt(at.length() / REACH)) * (radius - 4)
      const level = Math.max(1e-6, Math.hypot(at.x, at.z))
      // +x of a ship is to port
      const [px, py] = [x - (share * at.x) / level, y - (share * at.z) / level]
      const size = lit ? 3.6 : kind === 'raider' ? 2.8 : 2
      pen.fillStyle = COLORS[kind]
      if (kind === 'station') pen.fillRect(px - 3, py - 3, 6, 6)
      else {
        pen.beginPath()
        pen.arc(px, py, size, 0, 2 * Math.PI)
        pen.fill()
      }
    }
    pen.beginPath()
    pen.moveTo(x, y - 5)
    pen.lineTo(x + 4, y + 4)
    pen.lineTo(x - 4, y + 4)
    pen.fillStyle = '#fff'
    pen.fill()
    pen.textAlign = isWide ? 'right' : 'center'
    const state = armed ? '' : 'gun off · '
    this.#write(
      `${state}${speed.toFixed(0)} m/s`,
      isWide ? x - radius - 12 : x,
      isWide ? y + radius - 4 : y + radius + 22,
      14.5,
      '#eef0f4',
    )
  }
}
