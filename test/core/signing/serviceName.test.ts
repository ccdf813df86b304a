import { isServiceNamed, serviceNameOf } from '@svc/core/signing/serviceName.ts'
import { expect } from 'chai'

describe('the name of a service', () => {
  it('is the origin of its URL', () => {
    expect(serviceNameOf('HTTPS://Registry.Example:443/path/api')).to.equal('https://registry.example')
    expect(serviceNameOf('http://localhost:3000/api')).to.equal('http://localhost:3000')
    expect(serviceNameOf('not a URL')).to.equal(undefined)
  })

  it('is exactly one of those it has, or any address of this machine if it has one of these', () => {
    const public_ = ['https://registry.example']
    expect(isServiceNamed('https://registry.example', public_)).to.equal(true)
    for (const other of [
      'https://registry.example.evil.io',
      'http://registry.example',
      'http://localhost:3000',
    ])
      expect(isServiceNamed(other, public_), other).to.equal(false)
    const withLocalPages = ['https://registry.example', 'http://localhost:5173']
    expect(isServiceNamed('http://localhost:3000', withLocalPages)).to.equal(false)
    const local = ['http://localhost:3000']
    for (const same of [
      'http://localhost:3000',
      'http://127.0.0.1:3000',
      'http://[::1]',
      'http://localhost:3001',
    ])
      expect(isServiceNamed(same, local), same).to.equal(true)
    for (const other of [
      'http://localhost.evil.io',
      'http://127.0.0.1.evil.io:80',
      'https://registry.example',
    ])
      expect(isServiceNamed(other, local), other).to.equal(false)
  })
})
