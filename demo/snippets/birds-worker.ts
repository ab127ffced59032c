import { tick } from './server.js'

let last = performance.now()
setInterval(() => {
  const now = performance.now()
  const positions = tick((now - last) / 1000)
  last = now
  // hands the memory over in place of a copy
  postMessage(positions, { transfer: [positions.buffer] })
}, 1000 / 60)
