import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Largest body of a request (bytes). To join takes about 150. */
export const MAX_BODY = 2048
/** Clients that may join at once, and in each second. To join costs as much as some steps. */
export const MAX_JOINS = 30
/** Bytes that a client may send at once by its WebSocket, and in each second. A page sends 750 in a second at most. */
export const MAX_BURST = 16 * 1024
const MAX_RATE = 4 * 1024

/** So much at once, and so much more in each second. */
class Allowance {
  private left: number
  private last = performance.now()
  private readonly most: number
  private readonly rate: number

  constructor(most: number, rate: number) {
    this.most = this.left = most
    this.rate = rate
  }

  /** Takes an amount. False if there was not so much left. */
  take(amount: number): boolean {
    const now = performance.now()
    this.left = Math.min(this.most, this.left + (this.rate * (now - this.last)) / 1000)
    this.last = now
    if (this.left < amount) return false
    this.left -= amount
    return true
  }
}

/**
 * Refuses browsers on pages of other hosts than this one and `origins`, requests whose body Colyseus would read to its end, or whose headers make it throw where nobody
 * catches, and more clients in a second than a room can take up. Closes WebSockets that bring too many bytes: the
 * room counts messages, but not frames without a message, nor what comes after a client was told to leave.
 * Call it when the server listens, because Colyseus puts its own listeners first.
 */
export function guard(server: Server, origins: readonly string[] = []): void {
  const seats = new Allowance(MAX_JOINS, MAX_JOINS)
  const joins = new Allowance(MAX_JOINS, MAX_JOINS)
  const [requested, upgraded] = [server.listeners('request'), server.listeners('upgrade')]
  server.removeAllListeners('request')
  server.removeAllListeners('upgrade')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const refuse = (code: number): void => {
      response.writeHead(code, { connection: 'close' }).end(() => request.destroy())
    }
    if (!isSound(request)) refuse(400)
    else if (!isOwnPage(request, origins)) refuse(403)
    else if (request.method === 'POST' && !seats.take(1)) refuse(503)
    else for (const listener of requested) listener.call(server, request, response)
  })
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (!isOwnPage(request, origins) || !joins.take(1)) {
      socket.destroy()
      return
    }
    const bytes = new Allowance(MAX_BURST, MAX_RATE)
    socket.on('data', ({ length }: Buffer) => {
      if (!bytes.take(length)) socket.destroy()
    })
    for (const listener of upgraded) listener.call(server, request, socket, head)
  })
}

/** False for a browser on a page of another host. Programs name no origin. */
function isOwnPage({ headers: { host = '', origin } }: IncomingMessage, origins: readonly string[]): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin) || !URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(origin)
  return hostname === new URL(`http://${host}`).hostname || origins.includes(hostname)
}

/** Whether the headers make an address, and the body, if there is one, says how long it is. */
function isSound({ headers, url = '' }: IncomingMessage): boolean {
  const { 'content-length': length = '0', host = '', 'x-forwarded-proto': scheme = 'http' } = headers
  return (
    headers['transfer-encoding'] === undefined &&
    Number(length) <= MAX_BODY &&
    /^https?$/.test(String(scheme)) &&
    !/[@/?#\\]/.test(host) &&
    URL.canParse(`http://${host}${url}`)
  )
}
