import { Button, Group, Text } from '@mantine/core'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { Section } from '../../parts/Section.tsx'
import { useSettingsChange } from './useSettingsChange.ts'

/** Whether anyone can find an agent in the directory; saving requires a fresh passkey assertion. */
export function ListingSection({ svcId }: { svcId: string }) {
  const query = useApiQuery('GET /api/agents/:id/settings', { params: { id: svcId } })
  return (
    <Section
      title="Directory"
      description="Anyone may search the directory by skill, protocol and trust score. It shows what the registration file of an agent says, and its score, but neither its boundary nor its owner."
    >
      <Loaded query={query}>{({ isListed }) => <Listing svcId={svcId} isListed={isListed} />}</Loaded>
    </Section>
  )
}

function Listing({ svcId, isListed }: { svcId: string; isListed: boolean }) {
  const change = useSettingsChange(svcId)
  return (
    <>
      <Text>
        {isListed
          ? 'The agent is listed while it is active.'
          : 'The agent is not listed: whoever looks for it needs its identifier.'}
      </Text>
      <FailureNote error={change.error} />
      <Group>
        <Button
          variant="default"
          leftSection={<Icon name="passkey" size={16} />}
          loading={change.isPending}
          onClick={() => change.mutate({ params: { id: svcId }, body: { isListed: !isListed } })}
        >
          {isListed ? 'Remove from the directory' : 'List in the directory'}
        </Button>
      </Group>
    </>
  )
}
