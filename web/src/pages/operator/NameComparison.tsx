import { Group, Mark, Stack, Text, VisuallyHidden } from '@mantine/core'
import { compareNames, type NamePart } from '@svc/core/kyd/compareNames.ts'
import { Facts } from '../../parts/Facts.tsx'

const VERDICTS = {
  same: 'Both have the same words.',
  partly: 'The marked words are in only one of the two names.',
  different: 'The two names have no word in common.',
} as const

type Props = { account: string | null; document: { surname: string; givenNames: string } }

/** The account's name beside the passport's, with the words marked that only one of them has. */
export function NameComparison({ account, document }: Props) {
  const compared = compareNames(account ?? '', `${document.givenNames} ${document.surname}`)
  return (
    <Stack gap="sm" role="group" aria-label="Names">
      <Facts
        facts={[
          [
            'In the account',
            account === null ? 'The account has no name.' : <Name key="account" parts={compared.account} />,
          ],
          ['In the passport', <Name key="passport" parts={compared.document} />],
        ]}
      />
      <Text size="sm" fw={550} data-names={compared.verdict}>
        {VERDICTS[compared.verdict]}
      </Text>
    </Stack>
  )
}

function Name({ parts }: { parts: readonly NamePart[] }) {
  return (
    <Group gap={6} component="span">
      {parts.map(({ text, isShared }, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a word may occur twice, and their order never changes
        <Word key={nth} text={text} isShared={isShared} />
      ))}
    </Group>
  )
}

function Word({ text, isShared }: NamePart) {
  if (isShared) return <span>{text}</span>
  return (
    <Mark color="orange" px={4}>
      {text}
      <VisuallyHidden> (only here)</VisuallyHidden>
    </Mark>
  )
}
