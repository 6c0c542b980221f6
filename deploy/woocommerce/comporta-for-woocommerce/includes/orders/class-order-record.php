<?php
/**
 * Payment data in the meta data of an order.
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

	/** The newest checkout: request_id and fingerprint, and after the answer also checkout_id, operation_id and url. */
	private const ATTEMPT = '_comporta_attempt';
	/** Amount in cents of each operation of this order, by operation id. */
	private const OPERATIONS = '_comporta_operations';
	/** Completed steps, such as "<operation> COMPLETED". */
	private const DONE = '_comporta_done';
	/** Bank reference: entity, ref, amount, expires. */
	private const REFERENCE = '_comporta_reference';
	/** The body of a refund whose final result is not known. After the answer it also has the operation_id. */
	private const OPEN_REFUND = '_comporta_open_refund';

	/** The newest payment of another amount, which the shop manager may accept. */
	private const UNACCEPTED = '_comporta_unaccepted';

	private function __construct( public WC_Order $order ) {}

	/** Reads the stored order again; null if there is none. */
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

	/** Uses an order that WooCommerce has already read, for example to show a page. */
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

	/** Stores an operation that pays the order. */
	public function add_operation( string $id, int $cents ): void {
		$this->order->update_meta_data( self::OPERATIONS, array( $id => $cents ) + $this->map( self::OPERATIONS ) );
	}

	/** Amount of an operation in cents; null if it belongs to another order. */
	public function cents_asked( string $id ): ?int {
		return $this->map( self::OPERATIONS )[ $id ] ?? null;
	}

	/** Whether the step was done before. If not, the next save records it. */
	public function done_before( string $what ): bool {
		$done = $this->map( self::DONE );
		if ( in_array( $what, $done, true ) ) {
			return true;
		}
		$this->order->update_meta_data( self::DONE, array( ...$done, $what ) );
		return false;
	}

	/** Whether the step was done. Stores nothing. */
	public function was_done( string $what ): bool {
		return in_array( $what, $this->map( self::DONE ), true );
	}

	/** Number of completed steps. */
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

	/** Id of a payment of another amount that waits for acceptance, or empty. */
	public function unaccepted(): string {
		return (string) $this->order->get_meta( self::UNACCEPTED );
	}

	/** Stores a payment of another amount. An empty id removes it. */
	public function set_unaccepted( string $id ): void {
		$this->order->update_meta_data( self::UNACCEPTED, $id );
	}

	/** Saves all changes. */
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
