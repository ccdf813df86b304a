import { Text } from '@mantine/core'
import type { ApprovalCounterparty, ApprovalSpending } from '@svc/core/contract/approvals.ts'
import { revealText } from '../../parts/code/revealText.ts'
import { Facts } from '../../parts/Facts.tsx'
import { Section } from '../../parts/Section.tsx'
import { When } from '../../parts/When.tsx'
import { formatProven, formatUnproven } from '../../parts/words/formatSpent.ts'
import { nameCounterpartyType } from '../endpoints/counterpartyTypes.ts'

const TIERS: Readonly<Record<ApprovalCounterparty['verificationTier'], string>> = {
  domain_verified: 'Domain verified: the counterparty controls this host',
  self_asserted: 'Registered, but the host is not proven',
  discovered: 'Not registered',
  unknown: 'Not registered',
}

const ENDED = {
  deactivated: 'Deactivated: requests to it are denied',
  archived: 'Archived: requests to it are denied',
}

type Props = { counterparty: ApprovalCounterparty; spending: ApprovalSpending | null }

/** Who asks for the approval, and what the agent has spent there and in all. */
export function CounterpartySection({ counterparty, spending }: Props) {
  const { name, host, url, counterpartyType, verificationTier, status, knownSince } = counterparty
  return (
    <Section title="Counterparty">
      <Facts
        facts={[
          [
            'Name',
            name && (
              <Text span fw={650}>
                {revealText(name)}
              </Text>
            ),
          ],
          ['Host', host],
          ['URL', url],
          ['Type', counterpartyType && nameCounterpartyType(counterpartyType)],
          ['Verification', TIERS[verificationTier]],
          ['Known since', knownSince && <When time={knownSince} />],
          ['Status', status !== null && status !== 'active' ? ENDED[status] : null],
          ...listSpending(spending),
        ]}
      />
    </Section>
  )
}

function listSpending(spending: ApprovalSpending | null): [string, string | null][] {
  if (spending === null) return [['Spent before', 'Cannot be determined at the moment']]
  const { days, atCounterparty, inAll } = spending
  const spent = (sum: string | null) => `${sum ?? 'Nothing'} in ${days} days`
  const unproven = (sum: string | null) =>
    sum && `${sum} in ${days} days, by requests that only named the agent`
  return [
    ['Spent here', spent(formatProven(atCounterparty))],
    ['Unproven here', unproven(formatUnproven(atCounterparty))],
    ['Spent in all', spent(formatProven(inAll))],
    ['Unproven in all', unproven(formatUnproven(inAll))],
  ]
}
