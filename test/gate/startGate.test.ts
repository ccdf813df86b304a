import { createGate } from '@svc/gate/createGate.ts'
import { startGate } from '@svc/gate/startGate.ts'
import { expect } from 'chai'
import { listen } from '../harness/peers/listen.ts'
import { QUICK_SETTINGS } from './openGate.ts'
import { openRegistry } from './openRegistry.ts'

describe('starting a gate', () => {
  for (const setting of ['listen', 'admin'] as const) {
    it(`names ${setting} if its address is taken, and then listens nowhere`, async () => {
      const other = await listen((_req, res) => res.end())
      const registry = await openRegistry()
      const taken = { host: '127.0.0.1', port: Number(new URL(other.url).port) }
      const gate = createGate(
        {
          ...{ ...QUICK_SETTINGS, upstream: null, question: 'headers', gateway: registry.gateway },
          signedBodies: { waitMs: 5_000, bytesMax: 10_485_760 },
        },
        () => undefined,
      )
      const started = await startGate(gate, { ...QUICK_SETTINGS, [setting]: taken }).catch(String)
      await Promise.all([registry.stop(), other.stop()])
      expect(started).to.match(new RegExp(`^Error: ${setting}: .*EADDRINUSE`))
      expect(gate.server.listening).to.equal(false)
    })
  }
})
