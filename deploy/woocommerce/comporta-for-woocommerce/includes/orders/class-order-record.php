<?php
/**
 * What an order remembers of its payments, in its own meta data.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

use Automattic\WooCommerce\Caches\OrderCache;
use WC_Order;

defined( 'ABSPATH' ) || exit;

/** Reads and writes the order's meta data. Nothing is stored before save(). */
final class Order_Record {

	/** The newest checkout: request_id, fingerprint, and once answered checkout_id, operation_id, url. */
	private const ATTEMPT = '_comporta_attempt';
	/** Amount in cents by the id of each operation that was ever begun for this order. */
	private const OPERATIONS = '_comporta_operations';
	/** What was done already, such as "<operation> COMPLETED". */
	private const DONE = '_comporta_done';
	/** Of the bank reference: entity, ref, amount, expires. */
	private const REFERENCE = '_comporta_reference';
	/** The body of a refund that was sent and whose end is not known; once answered with its operation_id. */
	private const OPEN_REFUND = '_comporta_open_refund';

	/** The newest payment of another amount, which the shop manager may accept. */
	private const UNACCEPTED = '_comporta_unaccepted';

	private function __construct( public WC_Order $order ) {}

	/** The order as it is stored now, whatever this request has read before; null where there is none. */
	public static function read( int $order_id ): ?self {
		clean_post_cache( $order_id );
		if ( class_exists( OrderCache::class ) ) {
			wc_get_container()->get( OrderCache::class )->remove( $order_id );
		}
		$order = wc_get_order( $order_id );
		if ( ! $order instanceof WC_Order ) {
			return null;
		}
		$order->read_meta_data( true );
		return new self( $order );
	}

	/** An order that was read before, such as for a page. */
	public static function of( WC_Order $order ): self {
		return new self( $order );
	}

	/** The newest checkout. @return array<string,string> Empty before the first. */
	public function attempt(): array {
		return $this->map( self::ATTEMPT );
	}

	/** Remembers a checkout that is about to be made, or was. @param array<string,string> $attempt Its facts. */
	public function set_attempt( array $attempt ): void {
		$this->order->update_meta_data( self::ATTEMPT, $attempt );
	}

	/** Remembers that the order is to be paid by this operation. */
	public function add_operation( string $id, int $cents ): void {
		$this->order->update_meta_data( self::OPERATIONS, array( $id => $cents ) + $this->map( self::OPERATIONS ) );
	}

	/** The cents that an operation was begun with; null where it was not begun for this order. */
	public function cents_asked( string $id ): ?int {
		return $this->map( self::OPERATIONS )[ $id ] ?? null;
	}

	/** Whether it was done before; else it counts as done from the next save on. */
	public function done_before( string $what ): bool {
		$done = $this->map( self::DONE );
		if ( in_array( $what, $done, true ) ) {
			return true;
		}
		$this->order->update_meta_data( self::DONE, array( ...$done, $what ) );
		return false;
	}

	/** Whether it was done, without remembering anything. */
	public function was_done( string $what ): bool {
		return in_array( $what, $this->map( self::DONE ), true );
	}

	/** How much was done: grows with each thing. */
	public function done_count(): int {
		return count( $this->map( self::DONE ) );
	}

	/** The bank reference. @return array<string,string> Empty without one. */
	public function reference(): array {
		return $this->map( self::REFERENCE );
	}

	/** Remembers a bank reference. @param array<string,string> $reference With entity, ref, amount, expires. */
	public function set_reference( array $reference ): void {
		$this->order->update_meta_data( self::REFERENCE, $reference );
	}

	/** The refund whose end is not known. @return array<string,string> Empty without one. */
	public function open_refund(): array {
		return $this->map( self::OPEN_REFUND );
	}

	/** Remembers a refund that is about to be sent; an empty one: it has ended. @param array<string,string> $body Its body. */
	public function set_open_refund( array $body ): void {
		$this->order->update_meta_data( self::OPEN_REFUND, $body );
	}

	/** The id of the payment of another amount that waits to be accepted; empty without one. */
	public function unaccepted(): string {
		return (string) $this->order->get_meta( self::UNACCEPTED );
	}

	/** Remembers a payment of another amount; an empty id: none is to be accepted any more. */
	public function set_unaccepted( string $id ): void {
		$this->order->update_meta_data( self::UNACCEPTED, $id );
	}

	/** Stores what was remembered. */
	public function save(): void {
		$this->order->save();
	}

	/**
	 * A list or map of the meta data.
	 *
	 * @return array<mixed>
	 */
	private function map( string $key ): array {
		$value = $this->order->get_meta( $key );
		return is_array( $value ) ? $value : array();
	}
}
