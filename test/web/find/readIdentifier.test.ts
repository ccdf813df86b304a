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

  it('is nothing else', () => {
    for (const text of ['', 'SVC-', 'Courier', 'SVC-0123456789abcdefghijklm', 'svc-0123456789abcdefghijkl'])
      expect(readIdentifier(text), text).to.equal(null)
  })
})
