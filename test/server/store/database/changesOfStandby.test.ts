import { createServer, type Server, type Socket } from 'node:net'
import { expect } from 'chai'
import { listenToChanges } from '../../../../server/store/database/changes/changes.postgres.ts'
import { findFreePort } from '../../../harness/runner/findFreePort.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'

/** A message of PostgreSQL's protocol. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const READY = message('Z', Buffer.from('I'))
const AUTHENTICATED = Buffer.concat([message('R', Buffer.alloc(4)), READY])
const LISTENING = Buffer.concat([message('C', Buffer.from('LISTEN\0')), READY])
const REFUSED = Buffer.concat([
  message('E', Buffer.from('SERROR\0C25006\0Mcannot execute LISTEN during recovery\0\0')),
  READY,
])
const TERMINATED = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'))
const QUERY = 'Q'.charCodeAt(0)

describe('changes of a server that cannot be listened to', () => {
  let server: Server
  let port: number
  let isStandby: boolean
  let isSilent: boolean
  let isTerminating: boolean
  let attempts: number
  let connections: number
  const open = new Set<Socket>()

  beforeEach(async () => {
    isStandby = false
    isSilent = false
    isTerminating = false
    attempts = 0
    connections = 0
    port = await findFreePort()
    server = createServer((socket) => {
      let isGreeted = false
      connections += 1
      open.add(socket)
      socket.on('close', () => open.delete(socket))
      socket.on('error', () => undefined)
      socket.on('data', (data) => {
        if (isSilent) return
        if (!isGreeted) socket.write(AUTHENTICATED)
        else if (data[0] === QUERY) {
          attempts += 1
          const answer = isStandby ? REFUSED : LISTENING
          socket.write(isTerminating ? Buffer.concat([answer, TERMINATED]) : answer)
        }
        isGreeted = true
      })
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  })
  afterEach(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })

  it('are given up every half second while an attempt to connect hangs', async () => {
    let missed = 0
    const changes = await listenToChanges(`postgres://u:p@127.0.0.1:${port}/x`, {
      onChange: () => undefined,
      onMissed() {
        missed += 1
      },
      log: { warn: () => undefined },
    })
    isSilent = true
    connections = 0
    for (const socket of open) socket.destroy()
    await waitUntil(async () => (missed >= 4 ? true : null))
    expect(connections).to.equal(1)
    isSilent = false
    for (const socket of open) socket.destroy()
    await changes.stop()
  })

  it('are given up within a second of silence, which ends no connection that answers after all', async () => {
    let missed = 0
    const told: string[] = []
    const changes = await listenToChanges(`postgres://u:p@127.0.0.1:${port}/x`, {
      onChange: () => undefined,
      onMissed() {
        missed += 1
      },
      log: { warn: (_fields, text) => void told.push(text) },
    })
    isSilent = true
    const startedAt = performance.now()
    await waitUntil(async () => (missed >= 2 ? true : null))
    expect(performance.now() - startedAt).to.be.below(2_900)
    isSilent = false
    const before = missed
    const answered = attempts
    for (const socket of open) socket.write(LISTENING)
    await waitUntil(async () => (attempts >= answered + 2 ? true : null))
    expect(missed - before).to.be.within(1, 2)
    expect([connections, told]).to.deep.equal([1, []])
    await changes.stop()
  })

  it('are not received by a connection that the server ends while it begins to listen', async () => {
    isTerminating = true
    const listener = { onChange: () => undefined, onMissed: () => undefined, log: { warn: () => undefined } }
    const failure = await listenToChanges(`postgres://u:p@127.0.0.1:${port}/x`, listener).then(
      () => 'listens',
      ({ message: text }: Error) => text,
    )
    expect(failure).to.equal('terminating connection')
  })

  it('of a standby cost no more than one connection at a time, are reported once, and leave no connection', async () => {
    const told: string[] = []
    const changes = await listenToChanges(`postgres://u:p@127.0.0.1:${port}/x`, {
      onChange: () => undefined,
      onMissed: () => undefined,
      log: { warn: (_fields, text) => void told.push(text) },
    })
    isStandby = true
    attempts = 0
    for (const socket of open) socket.destroy()
    await waitUntil(async () => (attempts >= 4 ? true : null))
    expect(open.size).to.be.at.most(1)
    expect(told).to.deep.equal([
      'the connection that receives change notifications broke',
      'changes by other processes cannot be received',
    ])
    isStandby = false
    const before = attempts
    await waitUntil(async () => (attempts > before ? true : null))
    await changes.stop()
    await waitUntil(async () => (open.size === 0 ? true : null))
  })
})
