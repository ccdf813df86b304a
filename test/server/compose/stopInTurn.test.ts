import { expect } from 'chai'
import { stopInTurn } from '../../../server/compose/stopInTurn.ts'

const fails = (message: string) => () => Promise.reject(new Error(message))

describe('stopInTurn', () => {
  it('stops the parts of one group at the same time', async () => {
    const { promise: met, resolve: meet } = Promise.withResolvers<void>()
    await stopInTurn([() => met, async () => meet()])
  })

  it('stops a group after the previous one has stopped', async () => {
    const ended: string[] = []
    const later = async (name: string) => {
      await new Promise(setImmediate)
      ended.push(name)
    }
    await stopInTurn([() => later('rounds')], [async () => void ended.push('database')])
    expect(ended).to.deep.equal(['rounds', 'database'])
  })

  it('stops all others if one fails, and then throws its error', async () => {
    let closed = false
    const close = async () => {
      closed = true
    }
    const error = await stopInTurn([fails('no chain')], [close]).catch((reason: unknown) => reason)
    expect(closed).to.equal(true)
    expect(error).to.be.an('error').with.property('message', 'no chain')
  })

  it('reports every failure', async () => {
    const error = await stopInTurn([fails('no chain'), fails('no disk')]).catch((reason: unknown) => reason)
    expect(error).to.be.an('error').with.property('message', 'no chain; no disk')
  })
})
