import type { EndpointRoute } from '@svc/client'
import { compileRouteGate } from '@svc/client/gateway/compileRouteGate.ts'
import { expect } from 'chai'

/** Compiles routes into a test of an access level, for a request that proves nothing. */
function compileLevels(routes: readonly EndpointRoute[]) {
  const findFault = compileRouteGate(routes)
  return (method: string, path: string, accessLevel: string): boolean => {
    const fault = findFault(method, path, { accessLevel })
    if (fault !== undefined) expect(fault).to.deep.equal({ lacks: 'accessLevel' })
    return fault === undefined
  }
}

const gate = compileLevels([
  { pattern: '/**', minAccessLevel: 'restricted' },
  { pattern: '/orders/**', minAccessLevel: 'read-only' },
  { pattern: '/orders/**', method: 'POST', minAccessLevel: 'standard' },
  { pattern: '/Admin', minAccessLevel: 'internal' },
])

describe('compileRouteGate', () => {
  it('requires the highest level of all routes that match the request', () => {
    expect(gate('GET', '/', 'restricted')).to.equal(true)
    expect(gate('GET', '/', 'none')).to.equal(false)
    expect(gate('GET', '/orders/1', 'restricted')).to.equal(false)
    expect(gate('GET', '/orders/1', 'read-only')).to.equal(true)
    expect(gate('POST', '/orders/1', 'read-only')).to.equal(false)
    expect(gate('POST', '/orders/1', 'standard')).to.equal(true)
    expect(gate('GET', '/admin', 'full')).to.equal(false)
    expect(gate('GET', '/admin', 'internal')).to.equal(true)
  })

  it('applies to every spelling that a router takes for the same path', () => {
    for (const path of ['/ADMIN', '/admin/', '/admin///', '/%61dmin', '/admin;x', '/admin;x/y']) {
      expect(gate('GET', path, 'full'), path).to.equal(false)
    }
    for (const path of ['/orders/../admin', '/orders/%2e%2e/admin', '/orders\\..\\admin']) {
      expect(gate('GET', path, 'internal'), path).to.equal(false)
    }
  })

  it('lets nobody reach a path whose readings are too long together', () => {
    const disguised = ` https:%2f%2fh;x/${'a'.repeat(1_700)};p%3bq%3fz?q;z%23k#r;y%20 `
    expect(gate('GET', disguised, 'internal')).to.equal(false)
    expect(gate('GET', `/orders/${'a'.repeat(1_700)}?b=%2f#c`, 'internal')).to.equal(true)
  })

  it('compares methods in upper case, and does not take a safe method in lower case for one', () => {
    const isReached = compileLevels([
      { pattern: '/**', minAccessLevel: 'restricted' },
      { pattern: '/orders', method: 'post', minAccessLevel: 'full' },
      { pattern: '/secret', method: 'GET', minAccessLevel: 'full' },
      { pattern: '/search', method: 'QUERY', minAccessLevel: 'restricted' },
    ])
    for (const method of ['post', 'Post', 'POST']) {
      expect(isReached(method, '/orders', 'standard'), method).to.equal(false)
      expect(isReached(method, '/orders', 'full'), method).to.equal(true)
    }
    for (const method of ['get', 'head']) {
      expect(isReached(method, '/secret', 'standard'), method).to.equal(false)
      expect(isReached(method, '/', 'read-only'), method).to.equal(false)
    }
    expect(isReached('query', '/search', 'restricted')).to.equal(false)
  })

  it('treats HEAD as GET', () => {
    const onlyGet = compileLevels([{ pattern: '/secret', method: 'GET', minAccessLevel: 'full' }])
    expect(onlyGet('HEAD', '/secret', 'standard')).to.equal(false)
    expect(onlyGet('POST', '/secret', 'standard')).to.equal(true)
  })

  it('lets restricted and read-only callers read only, unless a route names the method', () => {
    const search = compileLevels([
      { pattern: '/**', minAccessLevel: 'restricted' },
      { pattern: '/search', method: 'POST', minAccessLevel: 'restricted' },
    ])
    for (const isReached of [compileLevels([]), search]) {
      for (const level of ['restricted', 'read-only']) {
        for (const method of ['GET', 'HEAD', 'OPTIONS']) {
          expect(isReached(method, '/orders', level), `${method} ${level}`).to.equal(true)
        }
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PURGE']) {
          expect(isReached(method, '/orders', level), `${method} ${level}`).to.equal(false)
          expect(isReached(method, '/orders', 'standard'), method).to.equal(true)
        }
      }
    }
    expect(search('POST', '/search', 'restricted')).to.equal(true)
    expect(search('PUT', '/search', 'restricted')).to.equal(false)
  })

  it('stops an unknown access level', () => {
    expect(gate('GET', '/', 'supreme')).to.equal(false)
  })

  it('lets everything pass without routes', () => {
    expect(compileLevels([])('GET', '/a/../b', 'none')).to.equal(true)
  })

  it('rejects routes that it does not understand', () => {
    expect(() => compileRouteGate([{ pattern: '/[a', minAccessLevel: 'full' }])).to.throw('/[a')
    // A program in JavaScript, or a service of another release, may name anything.
    const misspelt = (route: object) => () => compileRouteGate([{ pattern: '/a', ...route } as EndpointRoute])
    expect(misspelt({ minAccessLevel: 'supreme' })).to.throw('supreme')
    expect(misspelt({ minAccessLevel: 'full', minIdentityProof: 'blood' })).to.throw(
      'unknown identity proof blood',
    )
  })

  describe('with a required identity proof', () => {
    const findFault = compileRouteGate([
      { pattern: '/**', minAccessLevel: 'none', minIdentityProof: 'challenge' },
      { pattern: '/orders/**', method: 'POST', minAccessLevel: 'none', minIdentityProof: 'signature' },
      { pattern: '/orders/**', method: 'POST', minAccessLevel: 'standard', minIdentityProof: 'token' },
    ])
    const faultOf = (method: string, path: string, identityProof?: string) =>
      findFault(method, path, { accessLevel: 'full', identityProof })

    it('requires the strictest proof of all routes that match the request', () => {
      const lacking = (minIdentityProof: string) => ({ lacks: 'identityProof', minIdentityProof })
      for (const shown of [undefined, 'none', 'new-grade', 'constructor']) {
        expect(faultOf('GET', '/', shown)).to.deep.equal(lacking('challenge'))
        expect(faultOf('POST', '/orders/1', shown)).to.deep.equal(lacking('signature'))
      }
      for (const shown of ['challenge', 'token', 'signature'])
        expect(faultOf('GET', '/', shown)).to.equal(undefined)
      for (const shown of ['challenge', 'token']) {
        expect(faultOf('POST', '/orders/1', shown)).to.deep.equal(lacking('signature'))
      }
      expect(faultOf('POST', '/orders/1', 'signature')).to.equal(undefined)
    })

    it('requires it in addition to the access level', () => {
      const shown = { accessLevel: 'restricted', identityProof: 'signature' }
      expect(findFault('POST', '/orders/1', shown)).to.deep.equal({ lacks: 'accessLevel' })
    })

    it('applies to every spelling of the path', () => {
      for (const path of ['/ORDERS/1', '/orders/1/', '/%6frders/1;x']) {
        expect(faultOf('POST', path, 'token'), path).to.have.property('minIdentityProof', 'signature')
      }
    })
  })
})
