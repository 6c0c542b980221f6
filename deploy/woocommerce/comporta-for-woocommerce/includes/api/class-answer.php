<?php
/**
 * What the gateway answered, or that nothing came.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

defined( 'ABSPATH' ) || exit;

/** One answer of the gateway's API. */
final class Answer {

	/** A request with the same request_id is being worked on. */
	private const IN_FLIGHT = '10014';

	/**
	 * An answer.
	 *
	 * @param int          $status HTTP status; 0 when no answer came.
	 * @param array<mixed> $body   Of the JSON answer, numbers as text.
	 */
	public function __construct( public int $status, public array $body ) {}

	/** Whether the gateway did what it was asked for. */
	public function succeeded(): bool {
		return 200 === $this->status && array() !== $this->body;
	}

	/** Whether it is unknown if anything was done: the same request has to be sent again to find out. */
	public function is_unclear(): bool {
		return 0 === $this->status || $this->status >= 500 || 408 === $this->status || 429 === $this->status
			|| self::IN_FLIGHT === $this->text( 'code' ) || ( 200 === $this->status && array() === $this->body );
	}

	/** A field of the answer as text; empty where it is absent. */
	public function text( string $field ): string {
		$value = $this->body[ $field ] ?? '';
		return is_string( $value ) ? $value : '';
	}

	/** For people: the operation's amount without its sign, and its currency. */
	public function money(): string {
		$amount = ltrim( $this->text( 'amount' ), '-' );
		$cents  = Amount::cents( $amount );
		return ( null === $cents ? $amount : Amount::text( $cents ) ) . ' ' . $this->text( 'currency' );
	}

	/** What was wrong, in the gateway's words, with the number that finds it in its log. */
	public function explanation(): string {
		if ( 0 === $this->status ) {
			return __( 'The payment gateway did not answer.', 'comporta-for-woocommerce' );
		}
		if ( '' === $this->text( 'message' ) ) {
			/* translators: %d: an HTTP status such as 502 */
			return sprintf( __( 'The payment gateway answered with status %d.', 'comporta-for-woocommerce' ), $this->status );
		}
		return sprintf( '%s: %s (%s, %s)', $this->text( 'message' ), $this->text( 'reason' ), $this->text( 'code' ), $this->text( 'tid' ) );
	}
}
