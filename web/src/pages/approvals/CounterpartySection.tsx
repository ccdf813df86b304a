import { Text } from '@mantine/core'
import type { ApprovalCounterparty, ApprovalSpending } from '@svc/core/contract/approvals.ts'
import { Facts } from '../../parts/Facts.tsx'
import { revealText } from '../../parts/revealText.ts'
import { Section } from '../../parts/Section.tsx'
import { When } from '../../parts/When.tsx'
import { formatAmount } from '../../parts/words.ts'
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

function listSpending(spending: ApprovalSpending | null): [string, string][] {
  if (spending === null) return [['Spent before', 'Cannot be determined at the moment']]
  const { days, atCounterparty, inAll } = spending
  return [
    ['Spent here', `${formatSum(atCounterparty)} in ${days} days`],
    ['Spent in all', `${formatSum(inAll)} in ${days} days`],
  ]
}

function formatSum(spent: ApprovalSpending['inAll']): string {
  if (spent.length === 0) return 'Nothing'
  const sums = spent.map(({ amount, currency }) => formatAmount(Number(amount), currency ?? undefined))
  const purchases = spent.reduce((count, one) => count + one.purchases, 0)
  return `${sums.join(' + ')} in ${purchases} ${purchases === 1 ? 'purchase' : 'purchases'}`
}
