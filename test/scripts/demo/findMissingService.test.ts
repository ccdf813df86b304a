import type { RequestListener } from 'node:http'
import { expect } from 'chai'
import { findMissingService } from '../../../scripts/demo/findMissingService.ts'
import { listen } from '../../harness/peers/listen.ts'

const answering =
  (body: object | string): RequestListener =>
  (_req, res) => {
    res.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
const SERVICE = { success: true, chainId: 31337 }
const CHAIN = { jsonrpc: '2.0', id: 1, result: '0x7a69' }

describe('findMissingService', () => {
  const stops: (() => Promise<void>)[] = []
  const at = async (body: object | string): Promise<string> => {
    const { url, stop } = await listen(answering(body))
    stops.push(stop)
    return url
  }
  /** Returns an address where nothing listens. */
  const nowhere = async (): Promise<string> => {
    const { url, stop } = await listen(answering(''))
    await stop()
    return url
  }
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
  })

  it('finds nothing missing if service and chain belong together', async () => {
    expect(await findMissingService({ baseUrl: await at(SERVICE), rpcUrl: await at(CHAIN) })).to.equal(null)
  })

  it('names the address of a service that does not respond', async () => {
    const baseUrl = await nowhere()
    const fault = await findMissingService({ baseUrl, rpcUrl: await at(CHAIN) })
    expect(fault?.message).to.contain(`No response from the service at ${baseUrl}`)
    expect(fault?.hint).to.contain('npm start')
  })

  it('recognises another server on that port', async () => {
    const baseUrl = await at('<p>Hello</p>')
    const fault = await findMissingService({ baseUrl, rpcUrl: await at(CHAIN) })
    expect(fault?.message).to.equal(`The server at ${baseUrl} is not the service.`)
  })

  it('names the address of a missing chain', async () => {
    for (const rpcUrl of [await nowhere(), await at({ jsonrpc: '2.0', error: { code: -32601 } })]) {
      const fault = await findMissingService({ baseUrl: await at(SERVICE), rpcUrl })
      expect(fault?.message).to.contain(`no chain at ${rpcUrl}`)
      expect(fault?.hint).to.contain('CHAIN_PORT')
    }
  })

  it('recognises a chain that is not the one of the service', async () => {
    const fault = await findMissingService({
      baseUrl: await at(SERVICE),
      rpcUrl: await at({ ...CHAIN, result: '0x1' }),
    })
    expect(fault?.message).to.contain('is 1, but the service uses 31337')
  })
})
