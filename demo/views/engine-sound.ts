/** Volumes. */
const ENGINE = 0.11
const GUN = 0.05
const HIT = 0.22

/** A few synthetic sounds: an engine, guns, hits. Off until it is turned on, as browsers demand. */
export class EngineSound {
  #context: AudioContext | null = null
  #engine: { readonly gain: GainNode; readonly filter: BiquadFilterNode } | null = null
  #noise: AudioBuffer | null = null

  get on(): boolean {
    return this.#context !== null
  }
  set on(on: boolean) {
    if (on === this.on) return
    if (on) this.#start()
    else {
      void this.#context!.close()
      this.#context = this.#engine = this.#noise = null
    }
  }

  /** Sets the power of the engine, in [0, 1]. */
  engine(power: number): void {
    if (!this.#context || !this.#engine) return
    const now = this.#context.currentTime
    this.#engine.gain.gain.setTargetAtTime(ENGINE * (0.12 + 0.88 * power), now, 0.08)
    this.#engine.filter.frequency.setTargetAtTime(90 + 420 * power, now, 0.08)
  }

  /** A shot or a hit at a distance (m). */
  shot(distance: number): void {
    this.#burst(GUN, 2400, 0.07, distance)
  }

  hit(distance: number): void {
    this.#burst(HIT, 420, 0.3, distance)
  }

  dispose(): void {
    this.on = false
  }

  #start(): void {
    const context = new AudioContext()
    this.#context = context
    const noise = context.createBuffer(1, 2 * context.sampleRate, context.sampleRate)
    const samples = noise.getChannelData(0)
    let state = 7
    for (let k = 0; k < samples.length; k++) {
      state = (state * 16807) % 2147483647
      samples[k] = (2 * state) / 2147483647 - 1
    }
    this.#noise = noise
    const source = new AudioBufferSourceNode(context, { buffer: noise, loop: true })
    const filter = new BiquadFilterNode(context, { type: 'lowpass', frequency: 90, Q: 3 })
    const gain = new GainNode(context, { gain: 0 })
    source.connect(filter).connect(gain).connect(context.destination)
    source.start()
    this.#engine = { gain, filter }
  }

  /** A burst of noise that fades. */
  #burst(volume: number, frequency: number, length: number, distance: number): void {
    const context = this.#context
    const loud = volume / (1 + (distance / 45) ** 2)
    if (!context || !this.#noise || loud < 0.002) return
    const now = context.currentTime
    const source = new AudioBufferSourceNode(context, { buffer: this.#noise })
    const filter = new BiquadFilterNode(context, { type: 'lowpass', frequency })
    filter.frequency.exponentialRampToValueAtTime(frequency / 6, now + length)
    const gain = new GainNode(context, { gain: loud })
    gain.gain.exponentialRampToValueAtTime(0.0005, now + length)
    source.connect(filter).connect(gain).connect(context.destination)
    source.start(now, 1.5 * ((now * 7.3) % 1), length)
  }
}
