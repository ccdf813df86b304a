import { Group, Paper, SegmentedControl, Stack, Text, ThemeIcon } from '@mantine/core'
import { useState } from 'react'
import { Icon, type IconName } from '../../parts/Icon.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { describeDimension } from '../../parts/words/dimensionWords.ts'
import { formatAmount } from '../../parts/words/words.ts'
import classes from './DecisionPicture.module.css'
import { decideSample, SAMPLE, SAMPLE_PURPOSES, type SamplePurpose } from './decideSample.ts'

const VALUE_MAX = 600
const VALUE_STEP = 10

/** A decision that the visitor can vary, made in the browser by the code that makes real ones. */
export function DecisionPicture() {
  const [purpose, setPurpose] = useState<SamplePurpose>('shopping:buy')
  const [value, setValue] = useState(30)
  const { recommendation, failures } = decideSample(purpose, value, Date.now())
  const choose = (chosen: string) =>
    setPurpose(SAMPLE_PURPOSES.find((one) => one.value === chosen)?.value ?? purpose)
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} component="section" aria-label="Try a decision">
      <Stack gap="md">
        <Group gap="lg" align="flex-end">
          <SegmentedControl
            aria-label="What the agent wants to do"
            data={[...SAMPLE_PURPOSES]}
            value={purpose}
            onChange={choose}
          />
          <label className={classes.amount}>
            <Text span size="sm" fw={550}>
              For {amountOf(value)}
            </Text>
            <input
              type="range"
              min={0}
              max={VALUE_MAX}
              step={VALUE_STEP}
              value={value}
              aria-valuetext={amountOf(value)}
              onChange={(event) => setValue(Number(event.currentTarget.value))}
            />
          </label>
        </Group>
        {/* The key starts the animation again with every other request. */}
        <div className={classes.scene} key={`${purpose} ${value}`} data-outcome={recommendation}>
          <Party icon="agents" name="An agent" about={LIMITS} />
          <span className={classes.way} aria-hidden="true" />
          <div className={classes.verdict} role="status" aria-label="The decision">
            <StatusBadge value={recommendation} />
            <Text size="sm">{explain(recommendation, failures[0]?.dimension)}</Text>
          </div>
          <span className={classes.way} data-open={recommendation === 'grant'} aria-hidden="true" />
          <Party icon="endpoints" name="A shop" about={ACCEPTS} />
        </div>
        <Text size="xs" c="dimmed">
          Decided in your browser by the code that decides real requests. Nothing is sent or recorded.
        </Text>
      </Stack>
    </Paper>
  )
}

function amountOf(value: number): string {
  return formatAmount(value, SAMPLE.currency)
}

const LIMITS = `Its owner: “Shopping only. Below ${amountOf(SAMPLE.agent.autonomousThreshold)} without asking me. Never ${amountOf(SAMPLE.agent.approvalThreshold)} or more.”`
const ACCEPTS = `“From agents, we accept orders below ${amountOf(SAMPLE.shop.approvalThreshold)}.”`

function explain(recommendation: string, dimension: string | undefined): string {
  if (recommendation === 'grant') return 'Both sides allow it. The shop goes ahead.'
  if (recommendation === 'step_up_required')
    return 'The owner is asked, and approves with a passkey or denies.'
  return dimension === undefined ? 'It is not allowed.' : describeDimension(dimension)
}

function Party({ icon, name, about }: { icon: IconName; name: string; about: string }) {
  return (
    <div className={classes.party}>
      <ThemeIcon size={40} radius="md" variant="light">
        <Icon name={icon} size={22} />
      </ThemeIcon>
      <Text fw={600}>{name}</Text>
      <Text size="sm" c="dimmed">
        {about}
      </Text>
    </div>
  )
}
