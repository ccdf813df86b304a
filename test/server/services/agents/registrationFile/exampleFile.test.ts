import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeRegistrationFile } from '@svc/core/registrationFile/writeRegistrationFile.ts'
import { expect } from 'chai'

describe('registration-files/example.json', () => {
  it('is exactly what the service writes for such an agent', () => {
    const root = join(import.meta.dirname, '../../../../..')
    const text = readFileSync(join(root, 'registration-files/example.json'), 'utf8')
    expect(writeRegistrationFile(JSON.parse(text))).to.equal(text)
  })
})
