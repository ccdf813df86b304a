import { expect } from 'chai'
import { readIdentifier } from '../../../web/src/find/readIdentifier.ts'

describe('an identifier in the search', () => {
  it('is that of an agent, of an endpoint, of an organisation, or a UUID, with spaces around it', () => {
    expect(readIdentifier(' SVC-0123456789abcdefghijkl\n')).to.deep.equal({
      of: 'agent',
      id: 'SVC-0123456789abcdefghijkl',
    })
    expect(readIdentifier('SVCE-0123456789abcdefghijkl')?.of).to.equal('endpoint')
    expect(readIdentifier('SVCO-0123456789abcdefghijkl')?.of).to.equal('organisation')
    expect(readIdentifier('01A1FD3A-3C9A-7D4A-9804-5872562BF65E')).to.deep.equal({
      of: 'uuid',
      id: '01a1fd3a-3c9a-7d4a-9804-5872562bf65e',
    })
  })

  it('is that of a developer, of a key, on chain, or in the log', () => {
    const address = `0x${'aB'.repeat(20)}`
    const hash = `0x${'Cd'.repeat(32)}`
    const thumbprint = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'
    expect(readIdentifier('SVCD-0123456789abcdefghijkl')?.of).to.equal('developer')
    expect(readIdentifier(address)).to.deep.equal({ of: 'address', id: address.toLowerCase() })
    expect(readIdentifier(hash)).to.deep.equal({ of: 'hash', id: hash.toLowerCase() })
    expect(readIdentifier(thumbprint)).to.deep.equal({ of: 'thumbprint', id: thumbprint })
    expect(readIdentifier('#41')).to.deep.equal({ of: 'index', id: '41' })
    expect(readIdentifier('0')).to.deep.equal({ of: 'index', id: '0' })
  })

  it('rejects every other spelling', () => {
    for (const text of ['', 'SVC-', 'Courier', 'SVC-0123456789abcdefghijklm', 'svc-0123456789abcdefghijkl'])
      expect(readIdentifier(text), text).to.equal(null)
  })
})
