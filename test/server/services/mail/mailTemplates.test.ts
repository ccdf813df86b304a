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

describe('the mail about requests that prove nothing', () => {
  const textOf = (count: number) => {
    const data = { count, agentName: 'Courier', link: 'https://svc.test/x', expiresAt: 120_000 }
    const { subject, paragraphs } = MAIL_TEMPLATES.approvals_unproven(data, 0)
    return [subject, paragraphs[1]]
  }

  it('speaks of one request or of several', () => {
    const end = 'on hold. You have 2 minutes to decide. Nothing will be granted without your approval.'
    expect(textOf(1)).to.deep.equal(['A request without proof needs your approval', `It is ${end}`])
    expect(textOf(3)).to.deep.equal(['Requests without proof need your approval', `They are ${end}`])
  })
})
