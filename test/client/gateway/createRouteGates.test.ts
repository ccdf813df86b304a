import type { EndpointRoute } from '@svc/client'
import { createRouteGates } from '@svc/client/gateway/createRouteGates.ts'
import { expect } from 'chai'

const CLOSED: EndpointRoute[] = [{ pattern: '/**', minAccessLevel: 'full' }]

/** Gates for routes that the test sets, with a clock of its own. */
function openGates(routes?: EndpointRoute[]) {
  const world = {
    now: 0,
    reads: 0,
    held: CLOSED as EndpointRoute[] | Error | 'never',
    warnings: [] as string[],
  }
  const gates = createRouteGates({
    client: {
      async readRoutes() {
        world.reads += 1
        if (world.held === 'never') return new Promise<EndpointRoute[]>(() => undefined)
        if (world.held instanceof Error) throw world.held
        return world.held
      },
    },
    counterpartyId: 'SVCE-1',
    routes,
    warn: (message) => world.warnings.push(message),
    now: () => world.now,
  })
  const passes = async () => (await gates())('GET', '/x', { accessLevel: 'standard' }) === undefined
  return { world, gates, passes }
}

describe('createRouteGates', () => {
  it('reads the routes once for any number of requests, and again after a minute', async () => {
    const { world, gates, passes } = openGates()
    await Promise.all([gates(), gates(), gates()])
    world.now = 59_999
    expect(await passes()).to.equal(false)
    expect(world.reads).to.equal(1)
    world.now = 60_000
    world.held = []
    expect(await passes()).to.equal(false)
    expect(await passes()).to.equal(true)
    expect(world.reads).to.equal(2)
  })

  it('keeps the old routes and warns when a refresh fails', async () => {
    const { world, passes } = openGates()
    await passes()
    world.now = 60_000
    world.held = new Error('down')
    await passes()
    expect(await passes()).to.equal(false)
    expect(world.warnings.join()).to.include('down')
  })

  it('starts another fetch when one never ends, because the platform cancelled it with its request', async () => {
    const { world, gates, passes } = openGates()
    world.held = 'never'
    void gates()
    await new Promise(setImmediate)
    world.now = 30_000
    world.held = []
    expect(await passes()).to.equal(true)
    world.now = 90_000
    world.held = 'never'
    expect(await passes()).to.equal(true)
    world.now = 150_000
    world.held = CLOSED
    await passes()
    expect(await passes()).to.equal(false)
  })

  it('stays closed until the first routes have been read', async () => {
    const { world, passes } = openGates()
    world.held = new Error('down')
    const refused = await passes().catch((error: Error) => error.message)
    expect(refused).to.equal('down')
    world.held = []
    expect(await passes()).to.equal(true)
  })

  it('reads nothing when routes are configured', async () => {
    const { world, passes } = openGates([])
    expect(await passes()).to.equal(true)
    expect(world.reads).to.equal(0)
  })
})
