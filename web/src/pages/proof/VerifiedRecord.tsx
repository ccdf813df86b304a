import { Alert, Anchor, List, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CopyText } from '../../parts/code/CopyText.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { CheckList } from '../../parts/forms/CheckList.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Section } from '../../parts/Section.tsx'
import { describeDimension } from '../../parts/words/dimensionWords.ts'
import type { CheckedRecord } from '../activity/checkRecord.ts'
import { ProofFacts } from '../activity/ProofFacts.tsx'
import { Certificate } from './Certificate.tsx'
import { type ChainWord, describeProof, describeRecord, type Verdict } from './describeProof.ts'
import { readAnchor } from './readAnchor.ts'
import { TakeAway } from './TakeAway.tsx'

const COLORS: Readonly<Record<Verdict, string>> = {
  ...{ asking: 'blue', proven: 'teal', reported: 'blue', contradicted: 'red', failed: 'red' },
}

type Props = { recordId: string; checked: CheckedRecord }

/** A checked proof: the verdict, what it means, and everything needed to repeat the check elsewhere. */
export function VerifiedRecord({ recordId, checked }: Props) {
  const chain = useChainWord(checked)
  const words = describeProof(checked, chain)
  const { proof, entry, checks } = checked
  const isBad = words.verdict === 'failed' || words.verdict === 'contradicted'
  return (
    <Stack gap="lg">
      <Alert
        color={COLORS[words.verdict]}
        icon={<Icon name={isBad ? 'warning' : 'shield'} size={22} />}
        title={words.title}
        role="status"
        data-verdict={words.verdict}
      >
        {words.about}
      </Alert>
      {entry !== null && !isBad && (
        <>
          <Section title="What was recorded" description={describeRecord(entry)}>
            <Facts
              facts={[
                ['Record', <CopyText key="record" text={recordId} name="record identifier" />],
                [
                  'Reasons',
                  entry.dimensions.length > 0 ? <Reasons key="reasons" of={entry.dimensions} /> : null,
                ],
                ['Session', entry.sessionId && <CopyText key="s" text={entry.sessionId} name="session" />],
                [
                  'Hash of the inputs',
                  entry.inputsHash && <CopyText key="i" text={entry.inputsHash} name="hash of the inputs" />,
                ],
                ['Hash of the receipt', entry.receiptHash],
              ]}
            />
          </Section>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
            <Sentences title="What is proven" sentences={words.proven} />
            <Sentences title="What is not proven" sentences={words.unproven} />
          </SimpleGrid>
          <TakeAway recordId={recordId} checked={checked} />
          <Certificate recordId={recordId} proof={proof} record={describeRecord(entry)} words={words} />
        </>
      )}
      <Section
        title="Checks and coordinates"
        description={
          <>
            With SHA-256 as in RFC 9162.{' '}
            <Anchor href="/docs/start/verify-as-an-auditor" inherit underline="always">
              Verify as an auditor
            </Anchor>
          </>
        }
      >
        <CheckList checks={[...checks, ...listChainChecks(chain)]} />
        <ProofFacts proof={proof} />
      </Section>
    </Stack>
  )
}

function Reasons({ of: dimensions }: { of: readonly string[] }) {
  return (
    <List spacing={2}>
      {dimensions.map((dimension) => (
        <List.Item key={dimension}>
          {describeDimension(dimension)}{' '}
          <Text span size="xs" c="dimmed" ff="monospace">
            {dimension}
          </Text>
        </List.Item>
      ))}
    </List>
  )
}

function Sentences({ title, sentences }: { title: string; sentences: readonly string[] }) {
  return (
    <Section title={title}>
      <List size="sm" spacing={6}>
        {sentences.map((sentence) => (
          <List.Item key={sentence}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {sentence}
            </Text>
          </List.Item>
        ))}
      </List>
    </Section>
  )
}

/** Asks the published node, if there is one, about the batch of the proof. */
function useChainWord({ proof, publicRpcUrl }: CheckedRecord): ChainWord {
  const query = useQuery({
    queryKey: ['anchor', publicRpcUrl, proof],
    queryFn: () => readAnchor(publicRpcUrl ?? '', proof),
    enabled: publicRpcUrl !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  })
  if (publicRpcUrl === null) return { from: 'service' }
  const { host } = new URL(publicRpcUrl)
  if (query.data !== undefined) return { from: 'node', host, state: 'answered', reading: query.data }
  return { from: 'node', host, state: query.isError ? 'unreachable' : 'asking' }
}

function listChainChecks(chain: ChainWord) {
  if (chain.from === 'service' || chain.state !== 'answered') return []
  const { reading, host } = chain
  return [
    {
      claim: `The node at ${host}, asked by your browser, has this root for this batch`,
      holds: reading.isAnchored,
      detail: reading.isAnchored ? describeDepth(reading.blocksAfter) : reading.reason,
    },
  ]
}

function describeDepth(blocksAfter: number): string {
  if (blocksAfter === 0) return 'in its newest block'
  return blocksAfter === 1
    ? 'one block has followed'
    : `${blocksAfter.toLocaleString('en')} blocks have followed`
}
