/**
 * Errors that a clerk can do something about. The command line prints their
 * message alone; anything else is a defect and keeps its stack.
 */
export class DeskError extends Error {
  constructor(message) {
    super(message);
    this.name = new.target.name;
  }
}

/** A value that cannot be read: a weight, a day, an amount. */
export class FormatError extends DeskError {}

/** A row of an order file that is incomplete or contradicts another row. */
export class OrderError extends DeskError {
  /**
   * @param {string} message
   * @param {number} [line] line of the order file, counted from 1
   */
  constructor(message, line) {
    super(line === undefined ? message : `line ${line}: ${message}`);
    this.line = line;
  }
}

/** An address that the carrier would send back. */
export class AddressError extends DeskError {}

/** A parcel that no price list covers. */
export class TariffError extends DeskError {}

/** A promotion code that cannot be used for this order. */
export class PromotionError extends DeskError {}

/** A day that the calendar cannot give. */
export class CalendarError extends DeskError {}
