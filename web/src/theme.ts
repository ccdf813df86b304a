import { Alert, type CSSVariablesResolver, createTheme, Modal, Paper } from '@mantine/core'
import classes from './theme.module.css'

/** The look of the dashboard: system fonts, so that nothing is fetched from elsewhere. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  components: {
    Paper: Paper.extend({ classNames: { root: classes.paper } }),
    Modal: Modal.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      classNames: { header: classes.modalHeader, title: classes.modalTitle },
    }),
    Alert: Alert.extend({ classNames: { root: classes.alert } }),
  },
})

/** Words on a light tint of their own colour; Mantine's own shade is below 4.5:1 there (orange 3.6, teal 4.3, indigo 4.1 under the pointer). */
const darkerOnLight = Object.fromEntries(
  ['orange', 'teal', 'red', 'blue', 'indigo'].map((color) => [
    `--mantine-color-${color}-light-color`,
    `color-mix(in srgb, var(--mantine-color-${color}-9) 75%, black)`,
  ]),
)

/**
 * Colours of the two schemes beyond Mantine's own.
 *
 * Mantine's dimmed text is below the contrast of 4.5:1 that small text needs (WCAG 2.2, 1.4.3).
 */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-body': '#f7f8fa',
    '--svc-surface': '#ffffff',
    '--svc-surface-hover': '#f1f3f8',
    '--svc-code': '#f4f5f8',
    ...darkerOnLight,
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-body': '#14161a',
    '--svc-surface': '#1d2027',
    '--svc-surface-hover': '#262a33',
    '--svc-code': '#14161a',
  },
})
