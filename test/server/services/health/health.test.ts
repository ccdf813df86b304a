import { expect } from 'chai'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

const OPERATORS_PATHS = ['/api/health', '/.well-known/jwks.json', '/metrics']

describe('what operators read', () => {
  const started: StartedService[] = []
  const start = async (settings: Record<string, string> = {}) => {
    const service = await startService({ settings })
    started.push(service)
    const statusOf = async (path: string, headers: Record<string, string> = {}) =>
      (await fetch(service.baseUrl + path, { headers })).status
    return { statusOf }
  }
  afterEach(async () => {
    await started.pop()?.stop()
  })

  it('is answered to an address that has used up its public budget', async () => {
    const { statusOf } = await start({ API_RATE_PER_MINUTE: '1' })
    await waitUntil(async () => ((await statusOf('/api/chain')) === 429 ? true : null))
    for (let n = 0; n < 20; n += 1) {
      for (const path of OPERATORS_PATHS) {
        expect(await statusOf(path, { 'x-svc-signature': '0x00' }), path).to.equal(200)
      }
      // There is no list yet, and verifiers are told so.
      expect(await statusOf('/.well-known/status/0')).to.equal(404)
    }
  })

  it('needs METRICS_TOKEN for the metrics where it is set', async () => {
    const { statusOf } = await start({ METRICS_TOKEN: 'scrape-me' })
    const read = (authorization?: string) => statusOf('/metrics', authorization ? { authorization } : {})
    expect(await read()).to.equal(401)
    for (const wrong of [
      'scrape-me',
      'Bearer scrape',
      'Bearer scrape-me-not',
      'Basic scrape-me',
      'Bearer ',
    ]) {
      expect(await read(wrong), wrong).to.equal(401)
    }
    expect(await read('Bearer scrape-me')).to.equal(200)
    expect(await read('bearer scrape-me')).to.equal(200)
  })
})
