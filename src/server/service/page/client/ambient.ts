/* What a file shared with the service uses in a function that the page does not call, and the bundle does not hold. */
declare const Buffer: { from(text: string, coding: string): { toString(coding: string): string } }
