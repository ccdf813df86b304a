import { compileRouteGate } from '@svc/client/gateway/compileRouteGate.ts'
import { expect } from 'chai'

const gate = compileRouteGate([
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

  it('treats HEAD as GET', () => {
    const onlyGet = compileRouteGate([{ pattern: '/secret', method: 'GET', minAccessLevel: 'full' }])
    expect(onlyGet('HEAD', '/secret', 'standard')).to.equal(false)
    expect(onlyGet('POST', '/secret', 'standard')).to.equal(true)
  })

  it('lets restricted and read-only callers read only, unless a route names the method', () => {
    const search = compileRouteGate([
      { pattern: '/**', minAccessLevel: 'restricted' },
      { pattern: '/search', method: 'POST', minAccessLevel: 'restricted' },
    ])
    for (const isReached of [compileRouteGate([]), search]) {
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
    expect(compileRouteGate([])('GET', '/a/../b', 'none')).to.equal(true)
  })

  it('rejects routes that it does not understand', () => {
    expect(() => compileRouteGate([{ pattern: '/[a', minAccessLevel: 'full' }])).to.throw('/[a')
    expect(() => compileRouteGate([{ pattern: '/a', minAccessLevel: 'supreme' }])).to.throw('supreme')
  })
})
