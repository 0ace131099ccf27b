/** A call that is answered with an error instead of 202. Reasons are those that the public client knows. */
export class RefusedCallError extends Error {
  readonly status: number;
  readonly reason: string;

  constructor(status: number, reason: string, detail: string) {
    super(detail);
    this.status = status;
    this.reason = `bridge.${reason}`;
  }
}
