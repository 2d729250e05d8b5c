/** A span of time, in milliseconds since the epoch. */
export interface TimeSpan {
  from: number;
  until: number;
}

export const noTime: TimeSpan = { from: 0, until: 0 };

/** Before its beginning a span is over too: the clock was set back, and the span would last for that much longer. */
export const isWithin = ({ from, until }: TimeSpan, at: number): boolean => from <= at && at < until;
