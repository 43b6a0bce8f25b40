export const shareKinds = ['webdav', 'nextcloud', 'index', 'folder'] as const
/** Kinds of share that auction-tick files can be fetched from. */
export type ShareKind = (typeof shareKinds)[number]
