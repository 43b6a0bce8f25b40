import type { Panel, PanelVariant } from './panel.js'
import type { TrialParams } from './sweep-grid.js'

const made = new WeakMap<PanelVariant, WeakMap<object, Panel>>()

/** The names of params that columns of a panel were made with. */
export function variantParams({ variants }: Pick<Panel, 'variants'>): readonly string[] {
  return Object.keys(variants?.[0]?.params ?? {})
}

/** The panel of a trial: with the columns that its params make, where a join reads params. */
export function variantOf<C extends string>(panel: Panel<C>, params: TrialParams): Panel<C> {
  const isOf = ({ params: own }: PanelVariant): boolean =>
    Object.entries(own).every(([name, value]) => params[name] === value)
  const found = panel.variants?.find(isOf)
  if (!found) return panel
  const known = made.get(found) ?? new WeakMap<object, Panel>()
  made.set(found, known)
  const own =
    known.get(panel) ??
    (panel.withColumns<string>(
      { ...panel.cols, ...found.cols },
      { variants: undefined, texts: found.texts ?? panel.texts },
    ) as unknown as Panel)
  known.set(panel, own)
  return own as unknown as Panel<C>
}
