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

describe('stageFault', () => {
  const stops: (() => Promise<void>)[] = []
  const at = async (body: object | string): Promise<string> => {
    const { url, stop } = await listen(answering(body))
    stops.push(stop)
    return url
  }
  /** An address where nothing listens any more. */
  const nowhere = async (): Promise<string> => {
    const { url, stop } = await listen(answering(''))
    await stop()
    return url
  }
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
  })

  it('finds nothing missing where service and chain belong together', async () => {
    expect(await findMissingService({ baseUrl: await at(SERVICE), rpcUrl: await at(CHAIN) })).to.equal(null)
  })

  it('names the address of the service where nothing answers there', async () => {
    const baseUrl = await nowhere()
    const fault = await findMissingService({ baseUrl, rpcUrl: await at(CHAIN) })
    expect(fault?.message).to.contain(`Nothing answers at ${baseUrl}`)
    expect(fault?.hint).to.contain('npm start')
  })

  it('tells what is something else on that port', async () => {
    const baseUrl = await at('<p>Hello</p>')
    const fault = await findMissingService({ baseUrl, rpcUrl: await at(CHAIN) })
    expect(fault?.message).to.equal(`What answers at ${baseUrl} is not the service.`)
  })

  it('names the address of the chain where it is the chain that is missing', async () => {
    for (const rpcUrl of [await nowhere(), await at({ jsonrpc: '2.0', error: { code: -32601 } })]) {
      const fault = await findMissingService({ baseUrl: await at(SERVICE), rpcUrl })
      expect(fault?.message).to.contain(`no chain at ${rpcUrl}`)
      expect(fault?.hint).to.contain('CHAIN_PORT')
    }
  })

  it('tells another chain than that of the service', async () => {
    const fault = await findMissingService({
      baseUrl: await at(SERVICE),
      rpcUrl: await at({ ...CHAIN, result: '0x1' }),
    })
    expect(fault?.message).to.contain('is 1; that of the service is 31337')
  })
})
