import { expect } from 'chai'
import { beginLocalChain } from '../../../server/chain/beginLocalChain.ts'
import { findFreePort } from '../../harness/runner/findFreePort.ts'

describe('beginLocalChain', () => {
  it('starts a chain at once, hands it over once, and starts another when it is asked again', async () => {
    const port = await findFreePort()
    const start = beginLocalChain(port)
    const first = await start(0)
    expect(first.url).to.equal(`http://127.0.0.1:${port}`)
    const second = await start(0)
    expect(second.url).not.to.equal(first.url)
    expect([first.isRunning(), second.isRunning()]).to.deep.equal([true, true])
    await Promise.all([first.stop(), second.stop()])
  })

  it('reports a failure when the chain is asked for, and not before', async () => {
    const { url, stop } = await beginLocalChain(0)(0)
    const taken = Number(new URL(url).port)
    const start = beginLocalChain(taken)
    const error = await start(taken).catch((failure: unknown) => failure)
    expect(error).to.be.an('error').with.property('message').that.contains(`Port ${taken} is in use`)
    await stop()
  })
})
