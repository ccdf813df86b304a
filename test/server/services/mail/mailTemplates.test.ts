import { expect } from 'chai'
import { MAIL_TEMPLATES } from '../../../../server/services/mail/mailTemplates.ts'

describe('the mail of an invitation', () => {
  const textOf = (organizationName: string) =>
    MAIL_TEMPLATES.invitation({ organizationName, role: 'viewer', link: 'https://svc.test/x' }, 0)
      .paragraphs[0]

  it('names the organisation', () => {
    expect(textOf('Analytical Engines')).to.equal(
      'You have been invited to join the organisation “Analytical Engines” as viewer.',
    )
  })

  for (const name of ['Prizes at https://prizes.test', 'prizes.test', 'write to win@prizes']) {
    it(`omits a name that would turn into a link: ${name}`, () => {
      expect(textOf(name)).to.equal('You have been invited to join an organisation as viewer.')
    })
  }
})
